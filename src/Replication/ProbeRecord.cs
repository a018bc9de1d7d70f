using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication;

internal sealed class ProbeRecord(
    DelayPlan plan, RunContext run, ProbeSide side, ProbeReporter reporter, SessionEvents events)
{
    private readonly ProbeAccount _account = new(plan, side, reporter.Heartbeat);

    public RunFindings Create()
    {
        var whole = Summary(
            $"{_account.Whole.Source} to {_account.Whole.Destination}", _account.Whole, side.Session.Counts,
            [.. _account.Lag, .. reporter.Rows], reporter.Series, share: 1);
        return new RunFindings
        {
            Summaries =
            [
                whole,
                .. _account.Destinations.Concat(_account.Shards)
                    .Select(part => Summary(
                        part.Name, part.Probes, part.Counts, part.Lag, part.Metrics.Series, part.Share)),
            ],
            Thresholds = run.Parts<MeasuredThreshold>(() => [.. reporter.Thresholds(_account)]),
            Targets = side.Servers,
            Events = run.Parts<RunEvent>(() => events.ToRecord()),
            Faults = run.Parts<string>(
                () => [.. DelayVerdict.ClockFaults(), .. AnswerFaults(), .. side.Faults, .. reporter.Faults(_account)]),
            Doubts = run.Parts<string>(() => [.. reporter.Doubts()]),
            Notes = run.Parts<string>(() => [.. side.Notes, .. reporter.Notes(_account)]),
            Shown = run.Parts<ShownPercentiles>(
                () => [.. DelayVerdict.Shown(whole, reporter.Series, reporter.Waits)]),
            EndedBy = reporter.EndedBy,
            EndsWhenStopped = plan is { IsContinuous: true, Options.Duration: null },
            // Who stops it early does not blame it for what it had no time to report.
            ForgivesUnknown = plan.IsContinuous && run.StoppedBy is not null,
        };
    }

    private IEnumerable<string> AnswerFaults()
    {
        if (events.CountOf(ReconnectingPipeline.AnsweredWrongly) is > 0 and var times)
            yield return WrongAnswers.Fault(times);
    }

    private RunSummary Summary(
        string name, ReplicationDelay probes, in DelayCounts counts, IReadOnlyList<RecordedMetric> others,
        IEnumerable<MetricSeries> measured, double share) =>
        DelaySummary.Of(
            name, probes, [.. DelayMetrics.Recorded(counts, plan.IsContinuous, side.Reads), .. others], measured,
            reporter.DurationNs, reporter.WritingNs, side.Session.Rate * share,
            plan.IsContinuous ? ProbeValue.Length : plan.Options.ValueSize);
}

internal static class DelaySummary
{
    public static RunSummary Of(
        string name, ReplicationDelay keys, IReadOnlyList<RecordedMetric> counts, IEnumerable<MetricSeries> measured,
        long durationNs, long writingNs, double rate, long valueSize)
    {
        // The last key has its share of the time as well, which ends when it has left.
        var achieved = Math.Min((counts.Count(Counted.Sent) ?? 0) * 1e9 / keys.Destinations / writingNs, rate);
        return new RunSummary
        {
            Name = name,
            DurationNs = durationNs,
            Metrics = counts,
            Rates = new MessageRates { Asked = rate, Achieved = achieved, Bytes = achieved * valueSize },
            Latencies = DelayRows.Of(measured),
            Delay = keys,
        };
    }
}
