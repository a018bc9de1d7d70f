using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Phases;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Workloads;

internal sealed class WorkloadRecord(
    WorkloadJob job,
    IReadOnlyList<PhaseSession> asked,
    TargetComparison? comparison,
    RunRecording recording,
    FleetRun? fleet)
{
    // Of the phase: then it is what the throughput came to.
    private const double LongSilence = 0.1;

    private static readonly ThresholdReading NothingMeasured =
        new(double.NaN) { Because = "not known, because nothing was measured" };

    public RunRecord Create(RunContext run)
    {
        var isWhole = run.IsWhole;
        var summaries = Limited([.. asked.Select(SummaryOf)], asked);
        var pairs = asked.Zip(summaries).ToList();
        // Of a search the step is told of that is its answer: others went beyond what holds.
        var search = job.Search?.Result;
        var told = pairs.Where(pair => search is null || pair.First.Phase.IsLoad
            || pair.First.Phase.Name == search.Answer?.Phase).ToList();
        // Loading is judged where nothing else was done.
        var judged = told.Where(pair => !pair.First.Phase.IsLoad || told.All(one => one.First.Phase.IsLoad));
        var record = recording.Describe(new RunFindings
        {
            Summaries = summaries,
            Targets = [.. asked.GroupBy(session => session.Target.Name)
                .Select(same => TargetOf(same.FirstOrDefault(session => session.HasMeasured) ?? same.First()))],
            EndsWhenStopped = job.Rotation.Continuous,
            EndedBy = asked.Any(session => session.StopReason is not null) ? "stopped by an error reply" : null,
            Faults = run.Parts<string>(() =>
            [
                .. pairs.SelectMany(pair => WorkloadVerdict.Faults(pair.First, pair.Second, isWhole)),
                .. WorkloadVerdict.Faults(search),
            ]),
            Events = fleet?.Events ?? [],
            Notes = run.Parts<string>(() =>
            [
                .. fleet?.Notes ?? [],
                .. job.IsTargetGiven ? Array.Empty<string>() : [WorkloadVerdict.NoServer],
                .. WorkloadVerdict.NotReached(asked),
                .. told.Where(pair => pair.First.Totals is not null).SelectMany(pair =>
                    WorkloadVerdict.Notes(pair.First, pair.Second, recording.Instrument.Cpu)),
            ]),
            // What the machine adds meets both of two servers alike, and widens the intervals of their comparison.
            Shown = job.IsComparison ? [] : run.Parts<ShownPercentiles>(
                () => [.. judged.Where(pair => pair.First.HasMeasured)
                    .SelectMany(pair => WorkloadVerdict.Shown(pair.First, pair.Second))]),
            Thresholds = run.Parts<MeasuredThreshold>(() =>
            [
                .. pairs.Where(pair => !pair.First.IsFloor)
                    .SelectMany(pair => ThresholdsOf(pair.First, pairs.Count > 1 ? pair.Second.Name : null)),
            ]),
        });
        return record with
        {
            Scenario = job.Scenario,
            Search = search,
            Comparison = comparison,
            ExitCode = asked.Any(HasWrongValues)
                || search is { Held: null, End: SearchEnd.Latency }
                ? ExitCode.Combine(record.ExitCode, ExitCode.ThresholdMissed)
                : record.ExitCode,
        };
    }

    private static bool HasWrongValues(PhaseSession session) => session.Phase.Options.Verify
        && session.Totals is { } totals
        && totals.Operations.Concat(totals.WarmUp).Any(operation => operation.Counts.Mismatched > 0);

    // Of a time without answers no part says what the limit was in the rest.
    private static string? LimitOf(RunSummary summary, RunSummary? floor, double? machineBusy, Silence? silence) =>
        silence is { } gap && gap.LengthNs >= LongSilence * summary.DurationNs
            ? $"{gap}"
            : ThroughputLimit.Of(summary, floor, machineBusy);

    private List<RunSummary> Limited(List<RunSummary> summaries, IReadOnlyList<PhaseSession> measured)
    {
        var floor = summaries.Find(summary => WorkloadResults.Of(summary).IsFloor);
        return
        [
            .. summaries.Zip(measured, (summary, session) => summary with
            {
                Workload = WorkloadResults.Of(summary) with
                {
                    Limit = LimitOf(
                        summary, floor, recording.Instrument.Cpu.HostBusyShare, session.Metrics.Silence),
                },
            }),
        ];
    }

    private static MeasuredTarget TargetOf(PhaseSession session) =>
        RunRecordParts.Target(session.Target.Name, session.Target, null, session.Server.Facts) with
        {
            Driver = session.Driver.Name,
            DriverVersion = session.Driver.Version,
            Protocol = session.Driver.Protocol ?? session.Server.Reached?.Protocol,
            Transport = session.Driver.IsClientLibrary ? TransportOf(session.Target.Endpoint) : session.Driver.Loop,
        };

    private static string TransportOf(RedisEndpoint endpoint) =>
        $"{(endpoint.UseTls ? "tls" : endpoint.SocketPath is null ? "tcp" : "unix")}, the client's threads";

    private IEnumerable<MeasuredThreshold> ThresholdsOf(PhaseSession session, string? name)
    {
        var operations = WorkloadMetrics.NamesOf(session.Phase.Mix);
        return job.Output.Thresholds
            .Where(threshold => WorkloadMetrics.Problem(threshold, operations) is null)
            .Select(threshold => RunRecordParts.Threshold(
                threshold.Evaluate(session.HasMeasured ? session.Metrics.Find(threshold) : NothingMeasured), name));
    }

    /// <summary>The summary; what limited it is not in it yet.</summary>
    private static RunSummary SummaryOf(PhaseSession session)
    {
        if (session.Totals is not { } totals)
            return NotReached(session);
        return new RunSummary
        {
            Name = session.IsFloor ? "floor" : session.Phase.FullName,
            StartUtc = WallClockMapping.Sample().ToUtc(totals.MeasuredFrom),
            DurationNs = session.DurationNs,
            Metrics =
            [
                .. session.Metrics.Recorded, .. Beside(session, totals),
                .. totals.Operations.SelectMany(
                    operation => WorkloadMetrics.RowsOf(operation, !session.Driver.IsClientLibrary)),
            ],
            Rates = new MessageRates { Asked = session.AskedRate, Achieved = session.Throughput },
            Latencies = session.Metrics.Latencies,
            Workload = ResultOf(session, totals),
        };
    }

    // What every role has by these names.
    private static IEnumerable<RecordedMetric> Beside(PhaseSession session, EngineTotals totals)
    {
        yield return RecordedMetric.Of(Counted.Returned, totals.Completed);
        if (session.Phase.Options.Verify)
            yield return RecordedMetric.Of(Counted.Wrong, totals.Operations.Sum(one => one.Counts.Mismatched));
        if (session.Phase.IsOpenLoop)
            yield return RecordedMetric.Of(Counted.InFlightLimitHits, totals.Progress.Load.HeldBack);
        yield return RecordedMetric.Of(Counted.IdleConnections, totals.Idle.Opened);
        yield return RecordedMetric.Of(Counted.IdleClosed, totals.Idle.Closed);
        yield return RecordedMetric.Of(
            Cost.CpuPerOperation,
            totals.IsOfPeriod || (session.IsInProcess && totals.Processor.IsOfProcess)
                ? null
                : (double)totals.Processor.Nanoseconds / totals.Sent);
        yield return RecordedMetric.Of(
            Cost.AllocatedPerOperation,
            totals.IsOfPeriod ? null : (double)totals.AllocatedBytes / totals.Sent);
        // Servers are asked before and after the whole.
        var server = totals.IsOfPeriod ? null : session.Server;
        yield return RecordedMetric.Of(Cost.ServerBusy, server?.CpuShare);
        yield return RecordedMetric.Of(Counted.KeysBefore, server?.KeysBefore);
        yield return RecordedMetric.Of(Counted.KeysAfter, server?.KeysAfter);
    }

    // The run ended before it began: how much was asked of it is not counted.
    private static RunSummary NotReached(PhaseSession session) => new()
    {
        Name = session.IsFloor ? "floor" : session.Phase.FullName,
        DurationNs = 0,
        Metrics = [RecordedMetric.Of(Counted.Sent, 0), RecordedMetric.Of(Counted.Returned, 0)],
        Rates = new MessageRates(),
        Latencies = [],
        Workload = FactsOf(session),
    };

    private static WorkloadResult FactsOf(PhaseSession session) => new()
    {
        Verb = session.Phase.IsLoad ? "load" : "run",
        Group = session.Phase.Group,
        Phase = session.Phase.Name,
        Tag = session.Tag,
        IsFloor = session.IsFloor,
        Options = session.Phase.Given,
        Published = session.Phase.Published,
    };

    private static WorkloadResult ResultOf(PhaseSession session, EngineTotals totals) => FactsOf(session) with
    {
        Operations = totals.Operations,
        Engine = totals.Facts with { IsCpuOfProcess = totals.Processor.IsOfProcess },
        ServersAsked = totals.IsOfPeriod ? 0 : session.Server.Count,
        ServerCommands = totals.IsOfPeriod ? [] : session.Server.Commands,
    };
}
