using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Producer.OneWay;
using RedisLatency.Producer.Options;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Producer.Measuring;

internal sealed class ProducerRecord(
    BoundOptions<ProducerOptions> options,
    ProducerPlan plan,
    IReadOnlyList<TargetSession> sessions,
    InstrumentWatch instrument,
    RunContext context)
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    /// <summary>The record, with the exit code as far as it is known before the results are written.</summary>
    public RunRecord Create(MachineFacts machine)
    {
        var isWhole = context.StoppedBy is null && context.Failure is null;
        var measured = sessions.Where(session => session.HasMeasured).ToList();
        var summaries = measured.Select(SummaryOf).ToList();
        var faults = measured.Zip(summaries)
            .SelectMany(pair => ProducerVerdict.Faults(
                pair.First, pair.Second, pair.First.ScheduledDuration, isWhole)).ToList();
        faults.AddRange(OneWayVerdict.Faults(summaries));
        var notes = measured.Zip(summaries)
            .SelectMany(pair => ProducerVerdict.Notes(pair.First, pair.Second, instrument.Cpu))
            .Concat(OneWayVerdict.Notes(summaries));
        var thresholds = measured.Where(session => !session.IsFloor).SelectMany(ThresholdsOf).ToList();
        var hiccups = instrument.HiccupSeries;
        var outcome = RunOutcome.Of(
            context,
            faults,
            InstrumentDoubts.Of(
                summaries.SelectMany(summary => ProducerVerdict.Shown(summary, summaries.Count == 1)),
                hiccups,
                instrument.Cpu),
            notes,
            thresholds,
            options.Values.Output.Strict);
        return new RunRecord
        {
            SchemaVersion = RunRecord.CurrentSchemaVersion,
            SuiteVersion = ProgramVersion.Text,
            Run = plan.Run,
            Role = "producer",
            Region = plan.Region,
            Instance = plan.Instance,
            Partial = !isWhole,
            PartialReason = context.Failure?.Message ?? (isWhole ? null : "stopped by a signal"),
            Options = RunRecordParts.Options(options.Effective),
            Environment = machine,
            Targets = [.. measured.Select(TargetOf)],
            Phases = RunRecordParts.Phases(context),
            Summaries = summaries,
            Hiccups = hiccups,
            GcPauses = instrument.GcPauses,
            Cpu = instrument.Cpu,
            Events = [.. measured.SelectMany(OutagesOf).OrderBy(happening => happening.AtNs)],
            Verdict = outcome.Verdict,
            Thresholds = thresholds,
            ExitCode = outcome.ExitCode,
        };
    }

    private static IEnumerable<RunEvent> OutagesOf(TargetSession session)
    {
        var wallClock = WallClockMapping.Sample();
        return session.Senders.SelectMany(
            (sender, stream) => sender.Outages.SelectMany(outage => EventsOf(stream, outage)));

        IEnumerable<RunEvent> EventsOf(int stream, Outage outage)
        {
            var where = $"{session.Name}, stream {stream}";
            yield return Event(outage.StartNs, "disconnected", $"{where}: {outage.Reason}");
            if (outage.EndNs is { } end)
                yield return Event(end, "reconnected", $"{where}: after {Quantity.Duration(end - outage.StartNs)}");
        }

        RunEvent Event(long atNs, string kind, string text) => new(wallClock.ToUtc(atNs), atNs, kind, text);
    }

    private static MeasuredTarget TargetOf(TargetSession session) => RunRecordParts.Target(
        session.Name, session.Target, session.Senders[0].Lane, session.Server.Facts) with
    {
        ServerCpuShare = session.Server.CpuShare,
    };

    private RunSummary SummaryOf(TargetSession session)
    {
        var counts = session.Metrics.Counts;
        return new RunSummary
        {
            Name = session.Name,
            Peers = [.. session.Consumers.Select(ConsumerAdvice.NameOf)],
            DurationNs = session.MeasureDuration,
            Counts = counts,
            Rates = new MessageRates
            {
                Asked = plan.IsOpenLoop ? plan.Rate : null,
                Achieved = (counts.Sent ?? 0) * Second.TotalNanoseconds / session.MeasureDuration,
            },
            Latencies = session.Metrics.Latencies,
            OneWay = session.OneWay?.Pairs ?? [],
            NoOneWayBecause = OneWayVerdict.WhyNone(plan, session.OneWay),
        };
    }

    private IEnumerable<MeasuredThreshold> ThresholdsOf(TargetSession session) =>
        options.Values.Output.Thresholds.Select(threshold => RunRecordParts.Threshold(
            threshold.Evaluate(session.Metrics), sessions.Count > 1 ? session.Name : null));
}
