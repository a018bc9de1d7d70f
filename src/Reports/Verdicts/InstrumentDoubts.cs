using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Verdicts;

/// <summary>
/// Finds the percentiles that the instrument or the machine made a material part of: each cause is held against a
/// percentile at that percentile, so that one long pause says nothing of a median.
/// </summary>
public static class InstrumentDoubts
{
    /// <summary>From this share of a percentile on a pause or a lateness of the same percentile is material.</summary>
    public const double MaterialShare = 0.25;

    private const double Median = 50;

    // Timer slack is 50 µs, and a processor that slept takes tens of microseconds to wake.
    private const long LongestWakeUpNs = 200_000;

    /// <summary>The doubts about what is shown, a sentence for each cause.</summary>
    /// <param name="shown">The percentiles in question.</param>
    /// <param name="hiccups">How late a thread woke that did nothing else.</param>
    /// <param name="cpu">What was taken from this process and its host meanwhile; null where it is not known.</param>
    public static IEnumerable<string> Of(IEnumerable<ShownPercentiles> shown, LatencySeries hiccups, CpuUsage? cpu)
    {
        var all = shown.ToList();

        // What every wait costs on this machine is in what everybody measures there: a pause is what is more than that.
        // A machine on which every wait takes longer than a wake-up does is one that pauses all the time.
        var usual = Math.Min(Cause(hiccups, Median).Ns, LongestWakeUpNs);
        if (Material(all, (_, percentile) => Cause(hiccups, percentile, usual)) is { } pauses)
            yield return $"Pauses of this machine are a large part of {pauses}.";
        if (Material(all, LatenessAt) is { } later)
            yield return $"Late sends are a large part of {later}.";
        if (cpu?.HostStealShare is { } steal && Touched(all, steal) is { } stolen)
        {
            yield return $"The host took {Quantity.Percent(steal)} of this machine's time (steal), "
                + $"which may be all of {stolen}.";
        }

        if (cpu is { ThrottledNs: > 0, ElapsedNs: > 0 }
            && Touched(all, (double)cpu.ThrottledNs.Value / cpu.ElapsedNs) is { } throttled)
        {
            yield return $"The CPU quota stopped this process for {Quantity.Duration(cpu.ThrottledNs.Value)}, "
                + $"which may be all of {throttled}.";
        }
    }

    private static (long Ns, bool IsMost) LatenessAt(ShownPercentiles series, double percentile) =>
        series.Lateness is { } late ? Cause(late, percentile) : (0, false);

    // All by name, the first with its figures.
    private static string? Material(
        List<ShownPercentiles> all, Func<ShownPercentiles, double, (long Ns, bool IsMost)> cause)
    {
        var found = all
            .SelectMany(series => series.Percentiles.Where(row => row.Value > 0).Select(row => (
                Series: series, row.Percentile, Value: row.Value!.Value, Amount: cause(series, row.Percentile))))
            .Where(part => part.Amount.Ns >= MaterialShare * part.Value)
            .ToList();
        if (found.Count == 0)
            return null;
        var (series, percentile, value, amount) = found[0];
        return $"{Names(all, found.Select(part => (part.Series, part.Percentile)).ToHashSet())} "
            + $"({(amount.IsMost ? "up to " : string.Empty)}{Quantity.Duration(amount.Ns)} at "
            + $"{LatencyTable.NameOf(percentile)}, where {series.Name} is {Quantity.Duration(value)})";
    }

    // Time taken from a process delays what falls into it: as much of it as a percentile leaves above may be all of
    // that.
    private static string? Touched(List<ShownPercentiles> all, double share)
    {
        var found = all
            .SelectMany(series => series.Percentiles
                .Where(row => row.IsKnown && share >= 1 - (row.Percentile / 100))
                .Select(row => (series, row.Percentile)))
            .ToHashSet();
        return found.Count > 0 ? Names(all, found) : null;
    }

    // Series of the same percentiles share them: "rtt-intended, rtt p99, p99.9; forward p99.9".
    private static string Names(
        List<ShownPercentiles> all, HashSet<(ShownPercentiles Series, double Percentile)> found) =>
        string.Join("; ", all
            .Select(series => (series.Name, Rows: series.Percentiles
                .Where(row => found.Contains((series, row.Percentile)))
                .Select(row => LatencyTable.NameOf(row.Percentile)).ToList()))
            .Where(named => named.Rows.Count > 0)
            .GroupBy(named => string.Join(", ", named.Rows), named => named.Name)
            .Select(alike => $"{string.Join(", ", alike)} {alike.Key}"));

    // Where it has too few samples for a percentile, that one lies among its largest.
    private static (long Ns, bool IsMost) Cause(LatencySeries cause, double percentile, long usualNs = 0)
    {
        if (cause.Percentiles.At(percentile)?.Value is { } known)
            return (known - usualNs, false);
        var most = cause.Max
            ?? cause.Percentiles.LastOrDefault(row => row.Percentile < percentile && row.IsKnown)?.Value
            ?? 0;
        return (most - usualNs, cause.Max is not null);
    }
}

/// <summary>Percentiles that a reader is shown first, and that the instrument may have made a part of.</summary>
/// <param name="Name">What the series is called for the reader.</param>
/// <param name="Percentiles">The percentiles; those that are not known without a value.</param>
/// <param name="Lateness">How late what was measured left; null where the series does not contain it.</param>
public sealed record ShownPercentiles(
    string Name, IReadOnlyList<PercentileRow> Percentiles, LatencySeries? Lateness = null);
