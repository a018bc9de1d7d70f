using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Sync.Servers;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Sync.Verify;

/// <summary>One comparison of two servers or clusters.</summary>
internal sealed class VerifyRun(SyncPlan plan, RunContext run)
{
    private readonly SyncOptions _options = plan.Options;

    public int Run()
    {
        run.Enter(RunPhase.Connect);
        using var served = new ServedMetrics(_options.Telemetry, "replication", run, plan.Member);
        var from = InterruptibleStep.Run(() => TargetServer.Read(plan.Resolve(_options.Source)), run.Stop);
        var to = InterruptibleStep.Run(() => TargetServer.Read(plan.Resolve(_options.Destination)), run.Stop);
        InterruptibleStep.Run(() => VerifyPreflight.Require(from, to), run.Stop);
        using var source = InterruptibleStep.Run(() => EndOf("source", from), run.Stop);
        using var destination = InterruptibleStep.Run(() => EndOf("destination", to), run.Stop);
        using var file = _options.Verify.Differences is { } path ? new DifferenceFile(path) : null;
        var verification = new Verification(
            source, destination, new KeyNames(_options.Filter, _options.Databases, _options.Prefixes),
            _options.Verify, _options.Rate, file, run.Stop);

        run.Enter(RunPhase.WarmUp);
        using var recording = plan.Record(run, [from.Target, to.Target]);
        var metrics = VerifyMetrics.Of(verification.Counts);
        served.Add(recording.Instrument.Metrics);
        served.Add(metrics);
        var (began, ended, before) = (0L, 0L, 0L);
        var isWhole = false;
        recording.Measure(() =>
        {
            using var reporter = recording.Report(metrics, EndInterval, Describe(from, to, metrics));
            served.Watch(reporter);
            began = MonotonicClock.NowNs();
            try
            {
                verification.Run();
                isWhole = true;
            }
            finally
            {
                ended = MonotonicClock.NowNs();
                reporter.Stop();
            }
        });

        run.Enter(RunPhase.Report);
        var findings = new VerifyFindings(
            verification.Counts, source, destination, verification.KeysOnly, isWhole, ended - began);
        return recording.Finish(recording.Describe(new RunFindings
        {
            Summaries = [findings.Summary],
            Targets = [TargetOf("source", from), TargetOf("destination", to)],
            Faults = run.Parts<string>(() => [.. findings.Faults]),
            Doubts = run.Parts<string>(() => [.. findings.Doubts]),
            Notes = [],
            Shown = [],
            Thresholds = run.Parts<MeasuredThreshold>(() =>
            [
                .. findings.Conditions,
                .. _options.Output.Thresholds.Select(one => RunRecordParts.Threshold(one.Evaluate(metrics))),
            ]),
        }));

        void EndInterval(in TakenInterval interval, ref LiveSnapshot snapshot)
        {
            var read = snapshot.Sent;
            snapshot.AchievedRate = (read - before) / interval.Duration.TotalSeconds;
            before = read;
            snapshot.Elapsed = TimeSpan.FromNanoseconds(Math.Max(interval.EndNs - began, 0));
            snapshot.Progress = verification.Counts.Total is > 0 and var total
                ? Math.Min(1, (double)read / total)
                : null;
        }
    }

    private VerifiedEnd EndOf(string word, TargetServer server) =>
        new(word, server, _options.ReconnectTimeout, run.Stop.Cancellation);

    private static Reports.Records.MeasuredTarget TargetOf(string role, TargetServer server) =>
        RunRecordParts.Target(role, server.Target, null, server.Facts) with
        {
            Driver = "raw",
            DriverVersion = ProgramVersion.Text,
        };

    private LiveDescription Describe(TargetServer from, TargetServer to, MetricSet metrics) =>
        LiveDescription.Of(
            $"{plan.Verb} · {from.Target.Name} and {to.Target.Name} · run {plan.Run}", metrics) with
        {
            Items = "keys",
            CanBeLost = false,
            HasTimeLeft = true,
        };
}
