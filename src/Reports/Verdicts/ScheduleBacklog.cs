using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Verdicts;

/// <summary>
/// The answers that a schedule still waited for when it ended. A rate counts what was done in the time that it is
/// divided by: where these are more than the answers that are always under way, that time lasts until the last of them.
/// </summary>
/// <param name="DurationNs">How long after the schedule's end the last came, beyond the travel of an answer, which is
/// no queue: how much longer the time is that its rate is divided by, in nanoseconds. 0 where no queue was
/// left.</param>
/// <param name="HasGrown">Whether half of all waited for a part of it, as in a queue that grows from the
/// beginning.</param>
public readonly record struct ScheduleBacklog(long DurationNs, bool HasGrown)
{
    // Of all answers: with fewer, a rate over the schedule alone is as near to the truth.
    private const double TolerableShare = 0.01;

    // A rate is per second: a queue is judged over this at least, because a machine may pause at any moment.
    private const long LeastJudgedNs = 1_000_000_000;

    // A queue that grew all the time made half of all wait for half of it; one pause at the end, nobody before.
    private const double GrownShare = 0.25;

    // So much of its time no pause takes.
    private const double LongShare = 0.1;

    /// <summary>Whether a queue was left.</summary>
    public bool IsLeft => DurationNs > 0;

    /// <param name="afterEnd">How long after the end answers came, of those that came after it.</param>
    /// <param name="waits">How long all took from when they were due.</param>
    /// <param name="roundTripNs">What an answer took before the schedule began, in nanoseconds. Among those of the
    /// schedule even the quickest may have waited.</param>
    public static ScheduleBacklog Of(LatencyHistogram afterEnd, LatencyHistogram waits, long roundTripNs)
    {
        ArgumentNullException.ThrowIfNull(afterEnd);
        ArgumentNullException.ThrowIfNull(waits);
        var travelNs = Math.Min(roundTripNs, waits.Min);
        var late = afterEnd.TotalCount - afterEnd.CountBetween(0, travelNs);
        if (late <= TolerableShare * waits.TotalCount)
            return default;
        var lateNs = afterEnd.Max - travelNs;
        return new ScheduleBacklog(lateNs, waits.ValueAtPercentile(50) - travelNs >= GrownShare * lateNs);
    }

    /// <summary>Why a schedule that left a queue was not kept; null where a pause at its end explains it.</summary>
    /// <param name="name">Whose schedule.</param>
    /// <param name="rates">What it asked for, and what was answered.</param>
    /// <param name="scheduledNs">How long it lasted, in nanoseconds.</param>
    public string? Fault(string name, MessageRates rates, long scheduledNs)
    {
        ArgumentNullException.ThrowIfNull(rates);
        var judged = Math.Max(LeastJudgedNs, scheduledNs);
        return DurationNs > (HasGrown ? TolerableShare : LongShare) * judged
            ? $"{name}: the schedule could not be kept: {Quantity.Rate(rates.Achieved ?? 0)} of "
                + $"{Quantity.Rate(rates.Asked ?? 0)}; a queue of {Quantity.Duration(DurationNs)} was left at its end."
            : null;
    }

    /// <summary>Says that the last answers came late, where the schedule was kept all the same.</summary>
    public string Note(string name) =>
        $"{name}: the last answers came {Quantity.Duration(DurationNs)} after the schedule's end; the rate is taken "
        + "until then.";
}
