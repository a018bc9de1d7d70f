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

    // Without an interval a value as near to the limit as this says nothing.
    private const double Near = 0.5;

    public static SearchStep Of(PhaseSession session, LatencyLimit limit)
    {
        var series = session.Metrics.Series.First(one => one.Metric.Name == limit.Series);
        var row = PercentileRow.Of(series.Total, limit.Percentile, series.Blocks);
        var (outcome, because) = Judge(row, limit.Nanoseconds);
        if (OwnFault(session, limit, outcome) is { } own)
            (outcome, because) = (StepOutcome.Generator, own);
        return new SearchStep
        {
            Phase = session.Phase.Name,
            Asked = session.Phase.Options.Rate[0].To,
            Achieved = session.Throughput,
            ValueNs = row.Value,
            LowerNs = row.Lower,
            UpperNs = row.Upper,
            Outcome = outcome,
            Because = because,
        };
    }

    internal static (StepOutcome Outcome, string? Because) Judge(PercentileRow row, double limit) => row switch
    {
        { Unknown: UnknownPercentile.MissingSamples } =>
            (StepOutcome.Missed, "operations failed, were lost or never sent"),
        { Value: null } => (StepOutcome.Unsure, "too few operations to know the percentile"),
        { Lower: { } lower } when lower >= limit => (StepOutcome.Missed, "the limit was missed"),
        { Upper: { } upper } when upper < limit => (StepOutcome.Held, null),
        { Lower: not null } => (StepOutcome.Unsure, "the limit lies within the interval"),
        { Value: { } value } when value >= limit => (StepOutcome.Missed, "the limit was missed"),
        { Value: { } value } when value < Near * limit => (StepOutcome.Held, null),
        _ => (StepOutcome.Unsure, row.UnknownInterval == UnknownInterval.NotStationary
            ? "latency rose or fell all the time"
            : "the percentile has no interval, and is near the limit"),
    };

    // Operations that waited for room in flight waited for the server, unless there is less room than the limit allows.
    private static string? OwnFault(PhaseSession session, LatencyLimit limit, StepOutcome outcome)
    {
        var totals = session.Measured;
        var isHeld = outcome == StepOutcome.Held;
        if (totals.Facts.HeldBack > 0)
        {
            var room = (double)session.Phase.Connections * session.Phase.Pipeline;
            var needed = session.Phase.Options.Rate[0].To * limit.Nanoseconds / 1e9;
            return !isHeld && room < needed
                ? $"{Quantity.Count((long)room)} operations in flight (--connections, --max-in-flight) are too few"
                : null;
        }

        if (totals.Sent < LeastSent * totals.Due)
            return $"{Quantity.Percent((double)totals.Sent / totals.Due)} of what was due was sent";
        if (isHeld)
            return null;
        if (totals.Facts.BusyShare >= Busy)
            return $"its busiest thread was busy {Quantity.Percent(totals.Facts.BusyShare.Value)} of the time";
        var lateness = session.Metrics.Series.First(one => one.Metric.Name == WorkloadMetrics.Lateness.Name);
        return PercentileRow.Of(lateness.Total, limit.Percentile).Value is { } late
            && late >= MostOwnLateness * limit.Nanoseconds
                ? $"operations left up to {Quantity.Duration(late)} late by this tool"
                : null;
    }
}
