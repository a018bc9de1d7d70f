using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Verdicts;

/// <summary>
/// The answers that a schedule still waited for when it ended. A rate counts what was done in the time that it is
/// divided by: where these are more than the answers that are always under way, that time lasts until the last of them.
/// </summary>
public static class LeftQueue
{
    // Of all answers: with fewer, a rate over the schedule alone is as near to the truth.
    private const double TolerableShare = 0.01;

    // A rate is per second: a queue is judged over this at least, because a machine may pause at any moment.
    private const long LeastJudgedNs = 1_000_000_000;

    // A queue that grew all the time made half of all wait for half of it; one pause at the end, nobody before.
    private const double GrownShare = 0.25;

    // So much of its time no pause takes.
    private const double LongShare = 0.1;

    /// <summary>How long answers came on after a schedule's end, in nanoseconds; 0 where no queue was left.</summary>
    /// <param name="afterEnd">How long after the end answers came, of those that came after it.</param>
    /// <param name="waits">How long all took from when they were due: what the quickest took, no answer is
    /// late.</param>
    public static long DurationNs(LatencyHistogram afterEnd, LatencyHistogram waits)
    {
        ArgumentNullException.ThrowIfNull(afterEnd);
        ArgumentNullException.ThrowIfNull(waits);
        var late = afterEnd.TotalCount - afterEnd.CountBetween(0, waits.Min);

        // Nothing is taken off for the travel: where all waited in a queue, the quickest answer does not tell it.
        return late > TolerableShare * waits.TotalCount ? afterEnd.Max : 0;
    }

    /// <summary>Why a schedule that left a queue was not kept; null where a pause at its end explains it.</summary>
    /// <param name="name">Whose schedule.</param>
    /// <param name="rates">What it asked for, and what was answered.</param>
    /// <param name="scheduledNs">How long it lasted, in nanoseconds.</param>
    /// <param name="queueNs">How long answers came on after it.</param>
    /// <param name="waits">How long all took from when they were due.</param>
    public static string? Fault(
        string name, MessageRates rates, long scheduledNs, long queueNs, LatencyHistogram waits)
    {
        ArgumentNullException.ThrowIfNull(rates);
        ArgumentNullException.ThrowIfNull(waits);
        var judged = Math.Max(LeastJudgedNs, scheduledNs);
        var lateNs = queueNs - waits.Min;
        var hasGrown = waits.ValueAtPercentile(50) - waits.Min >= GrownShare * lateNs;
        return lateNs > (hasGrown ? TolerableShare : LongShare) * judged
            ? $"{name}: the schedule could not be kept: {Quantity.Rate(rates.Achieved ?? 0)} of "
                + $"{Quantity.Rate(rates.Asked ?? 0)}; a queue of {Quantity.Duration(queueNs)} was left at its end."
            : null;
    }

    /// <summary>Says that the last answers came late, where the schedule was kept all the same.</summary>
    public static string Note(string name, long queueNs) =>
        $"{name}: the last answers came {Quantity.Duration(queueNs)} after the schedule's end; the rate is taken until "
        + "then.";
}
