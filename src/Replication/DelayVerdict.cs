using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication;

/// <summary>The faults and notes of a delay measurement, in sentences.</summary>
internal static class DelayVerdict
{
    public const string OneCluster =
        "Source and destination are one cluster: each shard is written to at its primary, and read from a replica "
            + "of it.";

    public const string OneClock = "one clock: nothing to correct";

    public const string RefutedClaim =
        "Both processes say that they read one clock, and the probes refute it: give --no-claims.";

    private const long CoarsePollNs = 100_000_000;

    public static IEnumerable<string> ClockFaults()
    {
        if (MonotonicClock.IsSynthetic)
            yield return "clock: synthetic. A test replaced the host's clock; no stamp of it is true.";
    }

    public static IEnumerable<ShownPercentiles> Shown(
        RunSummary summary, IEnumerable<MetricSeries> measured, IReadOnlyList<ProcessorWaits> waits)
    {
        var lateness = measured.FirstOrDefault(series => series.Metric == DelayMetrics.Lateness)?.Total;
        return summary.Latencies
            .Where(series =>
                series.Name == DelayMetrics.Delay.Name || series.Name == DelayMetrics.DelayFromIntended.Name)
            .Select(series => ShownPercentiles.Of(series) with
            {
                Lateness = series.Name == DelayMetrics.Delay.Name ? null : lateness,
                Waits = waits,
            });
    }

    public static string Contradicting(long probes) =>
        $"{Quantity.Count(probes)} probes contradict the others: a clock that jumps, or stamps that no clock gives.";

    public static string Negative(long delays) =>
        $"{Quantity.Count(delays)} delays are negative by more than the clocks may be off: an assumption does not "
            + "hold.";

    public static string WithoutDelay(long without, long asked, string what) =>
        $"{Quantity.Percent((double)without / asked)} of the {what} have no delay, so the 99th percentile of all is "
            + "not known.";

    public static string Refused(long refused, string what, string first) =>
        $"The source refused {Quantity.Count(refused)} {what}, the first with: {first}";

    public static IEnumerable<string> ReadingFaults(DelayCounts keys)
    {
        if (keys.Read == 0)
        {
            yield return "No key was read at the destination.";
            yield break;
        }

        var without = keys.Asked - keys.Read;
        if (without > VerdictLimits.TolerableLoss * keys.Asked)
            yield return WithoutDelay(without, keys.Asked, "keys");
    }

    public static IEnumerable<string> CheckFaults(DelayPlan plan, bool isWhole)
    {
        var least = PercentileRow.LeastSamples(CheckLine.Median);
        if (isWhole && plan.Options.IsCheck && plan.Keys < least)
            yield return $"At least {least} keys (--keys) are needed to know how far the destination is behind.";
    }

    // Null where the schedule was kept.
    public static string? WritingFault(string source, KeySession session, DelayPlan plan)
    {
        var written = session.Written;
        var scheduledNs = (long)(written.Asked * plan.IntervalNs);
        // Until the last key left.
        var tookNs = scheduledNs + session.KeyWriters.Max(writer => writer.LastLatenessNs);
        var rates = new MessageRates { Asked = plan.Options.Rate, Achieved = written.Sent * 1e9 / session.WritingNs };
        return VerdictLimits.ScheduleFault(
            source, written.Asked, written.Sent, rates, scheduledNs, tookNs)
            ?? session.Queue.Fault(source, rates, scheduledNs);
    }

    // Where the keys are read elsewhere.
    public static string? UnwrittenFault(in DelayCounts keys)
    {
        var without = keys.Unsent + keys.Refused;
        return without > VerdictLimits.TolerableLoss * keys.Asked
            ? $"{Quantity.Percent((double)without / keys.Asked)} of the keys were refused or not sent: "
                + "no reader has a delay of them."
            : null;
    }

    public static IEnumerable<string> ReadingNotes(
        DelayCounts keys, TimeSpan deadline, LatencyHistogram uncertainty, long? missingAtSource, long unconfirmed)
    {
        if (keys.Missing > 0)
        {
            yield return $"{Quantity.Count(keys.Missing)} keys were not there "
                + $"{Quantity.Duration(deadline.InNanoseconds)} after they were sent; they count as slower than "
                + "all others.";
            if (unconfirmed > 0)
            {
                yield return $"{Quantity.Count(unconfirmed)} of them are not at the source either, and it never "
                    + "confirmed that they were written: their connection was lost before.";
            }

            if (missingAtSource is null)
            {
                yield return "Whether they still are at the source is not known.";
            }
            else if (missingAtSource == 0)
            {
                yield return "They are at the source: they were not replicated, not yet, or removed at the "
                    + "destination.";
            }
            else if (missingAtSource - unconfirmed is > 0 and var gone)
            {
                yield return $"{Quantity.Count(gone)} of them are not at the source either: evicted, expired or "
                    + "deleted.";
            }
        }

        if (uncertainty.TotalCount > 0 && uncertainty.Max > CoarsePollNs)
        {
            yield return "Polls of the destination were up to "
                + $"{Quantity.Duration(uncertainty.Max)} from each other: delays of that time are known no closer; "
                + $"{Measured.DelayUpper} is what a reader there had to wait.";
        }

        if (keys.Overwritten > 0)
            yield return $"{Quantity.Count(keys.Overwritten)} keys did not hold what was written when they were read: "
                + "another client overwrote them, or they were altered on their way.";
        if (keys.Waiting > 0)
        {
            yield return $"Of {Quantity.Count(keys.Waiting)} keys nothing is known: reading ended before their "
                + "deadline.";
        }
    }

    public static IEnumerable<string> WritingNotes(KeySession session)
    {
        var refusal = session.KeyWriters.Select(writer => writer.FirstRefusal).FirstOrDefault(text => text is not null);
        var keys = session.Written;
        if (refusal is not null)
            yield return Refused(keys.Refused, "keys", refusal);
        var yetRead = session.KeyWriters.Sum(writer => writer.RefusedYetRead);
        if (yetRead > 0)
            yield return $"{Quantity.Count(yetRead)} more were read although the source refused them.";
        if (keys.Unsent == 0)
            yield break;
        yield return session.Destinations.Count > 0 && session.Destinations.All(one => one.IsLost)
            ? $"{Quantity.Count(keys.Unsent)} keys were not sent: there was nobody to read them any more."
            : $"{Quantity.Count(keys.Unsent)} keys were due while there was no connection to the source.";
    }
}
