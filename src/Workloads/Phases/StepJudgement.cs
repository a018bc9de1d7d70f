using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Workloads.Phases;

/// <summary>Says whether a phase with a rate held its latency, and if not, whether by fault of this tool.</summary>
internal static class StepJudgement
{
    // Of what was due, what must have been sent; and which part of the limit this tool may be late itself.
    private const double LeastSent = 0.99;
    private const double MostOwnLateness = 0.25;
    private const double Busy = 0.95;

    // Without an interval a value is clear of the limit where it is so many times as far, or as near.
    private const double Clear = 2;

    private const string Sure = "95 % sure";

    public static SearchStep Of(PhaseSession session, LatencyLimit limit)
    {
        var series = session.Metrics.Series.First(one => one.Metric.Name == limit.Series);
        var row = PercentileRow.Of(series.Total, limit.Percentile, series.Blocks);
        var sent = (double)session.Measured.Sent / Math.Max(1, session.Measured.Due);
        var most = PercentileRow.Of(series.Total, limit.Percentile / 2).Value;
        var (outcome, because) = Judge(row, limit.Nanoseconds, most);
        // A rate that was not sent is not held, however quick what was sent came back.
        if (outcome == StepOutcome.Held && sent < LeastSent)
            (outcome, because) = (StepOutcome.Missed, $"{Quantity.Percent(sent)} of what was due could be sent");
        if (outcome != StepOutcome.Held && OwnFault(session, limit, sent) is { } own)
            (outcome, because) = (StepOutcome.Generator, own);
        return new SearchStep
        {
            Phase = session.Phase.Name,
            Asked = session.Phase.Options.Rate[0].To,
            Achieved = Achieved(session, limit),
            LengthNs = session.DurationNs,
            MedianNs = PercentileRow.Of(series.Total, 50).Value,
            ValueNs = row.Value,
            LowerNs = row.Lower,
            UpperNs = row.Upper,
            Outcome = outcome,
            Because = because,
        };
    }

    /// <param name="row">The percentile that is limited.</param>
    /// <param name="limit">In nanoseconds.</param>
    /// <param name="most">The percentile of half the rank: what half and more of all took at least.</param>
    internal static (StepOutcome Outcome, string Because) Judge(
        PercentileRow row, double limit, long? most) => row switch
        {
            { Unknown: UnknownPercentile.MissingSamples } =>
                (StepOutcome.Missed, "operations failed, were lost or never sent"),
            { Value: null } => (StepOutcome.Unsure, "too few operations to know the percentile"),
            { Lower: { } lower } when lower >= limit => (StepOutcome.Missed, Sure),
            { Upper: { } upper } when upper < limit => (StepOutcome.Held, Sure),
            { Lower: not null } => (StepOutcome.Unsure, "the limit lies within the 95 % interval"),
            _ when most >= limit => (StepOutcome.Missed, "no 95 % interval, but most took longer than the limit"),
            { Value: { } value } when value >= limit * Clear =>
                (StepOutcome.Missed, "no 95 % interval, but twice the limit and more"),
            { Value: { } value } when value < limit / Clear =>
                (StepOutcome.Held, "no 95 % interval, but below half of the limit"),
            _ => (StepOutcome.Unsure, "no 95 % interval, and near the limit"),
        };

    // What a server does with a queue before it is done late: then it is over the time until the last reply.
    private static double? Achieved(PhaseSession session, LatencyLimit limit)
    {
        var totals = session.Measured;
        var after = totals.LastEnded - totals.MeasuredFrom;
        return after > session.DurationNs + limit.Nanoseconds
            ? totals.Completed / (after / 1e9)
            : session.Throughput;
    }

    // Operations that waited for room in flight waited for the server, unless there is less room than the limit allows.
    private static string? OwnFault(PhaseSession session, LatencyLimit limit, double sent)
    {
        var facts = session.Measured.Facts;
        var room = (double)session.Phase.Connections * session.Phase.Pipeline;
        if (facts.HeldBack > 0 && room < session.Phase.Options.Rate[0].To * limit.Nanoseconds / 1e9)
            return $"{Quantity.Count((long)room)} operations in flight (--connections, --max-in-flight) are too few";
        if (facts.HeldBack == 0 && sent < LeastSent)
            return $"{Quantity.Percent(sent)} of what was due was sent";
        if (facts.BusyShare >= Busy)
            return $"its busiest thread was busy {Quantity.Percent(facts.BusyShare.Value)} of the time";
        var lateness = session.Metrics.Series.First(one => one.Metric.Name == WorkloadMetrics.Lateness.Name);
        return PercentileRow.Of(lateness.Total, limit.Percentile).Value is { } late
            && late >= MostOwnLateness * limit.Nanoseconds
                ? $"operations left up to {Quantity.Duration(late)} late by this tool"
                : null;
    }
}
