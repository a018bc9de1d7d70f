using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Producer.Measuring;
using RedisLatency.Producer.OneWay;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Producer;

internal sealed class ProducerRecord(
    IReadOnlyList<Threshold> thresholds,
    ProducerPlan plan,
    IReadOnlyList<TargetSession> sessions,
    InstrumentWatch instrument)
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    public RunFindings Create(RunContext run)
    {
        var isWhole = run.IsWhole;
        var pairs = sessions.Where(session => session.HasMeasured)
            .SelectMany(session => run.Parts<(TargetSession First, RunSummary Second)>(
                () => [(session, SummaryOf(session))])).ToList();
        var measured = pairs.ConvertAll(pair => pair.First);
        var summaries = pairs.ConvertAll(pair => pair.Second);
        return new RunFindings
        {
            Summaries = summaries,
            Targets = [.. measured.Select(TargetOf)],
            Events = run.Parts<RunEvent>(
                () => [.. SessionEvents.FirstAndLast(measured.SelectMany(OutagesOf))]),
            Faults = run.Parts<string>(() =>
            [
                .. pairs.SelectMany(pair => ProducerVerdict.Faults(
                    pair.First, pair.Second, pair.First.ScheduledDuration, isWhole)),
                .. OneWayVerdict.Faults(summaries),
            ]),
            Notes = run.Parts<string>(() =>
            [
                .. plan.IsServerless ? [ProducerVerdict.NoServer] : Array.Empty<string>(),
                .. pairs.SelectMany(pair => ProducerVerdict.Notes(pair.First, pair.Second, instrument.Cpu)),
                .. OneWayVerdict.Notes(summaries),
            ]),
            Shown = run.Parts<ShownPercentiles>(() =>
                [.. pairs.SelectMany(pair => ProducerVerdict.Shown(pair.First, pair.Second, pairs.Count == 1))]),
            Thresholds = run.Parts<MeasuredThreshold>(
                () => [.. measured.Where(session => !session.IsFloor).SelectMany(ThresholdsOf)]),
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
        session.Name, session.Target, session.Senders[0].Lane, session.Server.Facts);

    private RunSummary SummaryOf(TargetSession session)
    {
        var metrics = session.Metrics.Recorded;
        return new RunSummary
        {
            Name = session.Name,
            Peers = session.HasOwnConsumer
                ? [EmbeddedConsumer.Name]
                : [.. session.Consumers.Select(ConsumerAdvice.NameOf)],
            StartUtc = sessions.Count > 1 ? null : WallClockMapping.Sample().ToUtc(session.MeasureStart),
            DurationNs = session.MeasureDuration + session.Queue.DurationNs,
            Metrics = [.. metrics, RecordedMetric.Of(Cost.ServerBusy, session.Server.CpuShare)],
            Rates = new MessageRates
            {
                Asked = plan.IsOpenLoop ? plan.Rate : null,
                Achieved = (metrics.Count(Counted.Sent) ?? 0) * Second.TotalNanoseconds / session.RatedNs,
            },
            Latencies = session.Metrics.Latencies,
            OneWay = session.OneWay?.Pairs ?? [],
            NoOneWayBecause = OneWayVerdict.WhyNone(plan, session.OneWay),
        };
    }

    private IEnumerable<MeasuredThreshold> ThresholdsOf(TargetSession session) =>
        thresholds.Select(threshold => RunRecordParts.Threshold(
            threshold.Evaluate(session.Metrics.Find(threshold)), sessions.Count > 1 ? session.Name : null));
}
