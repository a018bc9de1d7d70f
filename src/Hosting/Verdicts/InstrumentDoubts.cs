using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Results.Records.Summaries;

namespace RedisLatency.Hosting.Verdicts;

/// <summary>Finds the numbers that the instrument or the machine made a material part of.</summary>
public static class InstrumentDoubts
{
    /// <summary>From this share of a percentile on a pause or a lateness of the same percentile is material.</summary>
    public const double MaterialShare = 0.25;

    /// <summary>The doubts about a series that was shown, a sentence each.</summary>
    /// <param name="name">What the series is called for the reader.</param>
    /// <param name="series">The series.</param>
    /// <param name="hiccups">How late a thread woke that did nothing else.</param>
    /// <param name="lateness">How late what was measured left; null where the series does not contain it.</param>
    public static IEnumerable<string> Of(string name, LatencySeries series, LatencySeries hiccups, LatencySeries? lateness)
    {
        ArgumentNullException.ThrowIfNull(series);
        ArgumentNullException.ThrowIfNull(hiccups);
        if (Material(series, hiccups) is { } pauses)
            yield return $"{name}: pauses of this machine are {pauses}.";
        if (lateness is not null && Material(series, lateness) is { } late)
            yield return $"{name}: messages that left late are {late}.";
    }

    // The lowest percentile in question, and how many more.
    private static string? Material(LatencySeries series, LatencySeries cause)
    {
        var shares = series.Percentiles
            .Where(row => row.Value > 0)
            .Select(row => (row.Percentile, Cause: ValueOf(cause, row.Percentile), Value: row.Value!.Value))
            .Where(found => found.Cause >= MaterialShare * found.Value)
            .ToList();
        if (shares.Count == 0)
            return null;
        var (percentile, amount, value) = shares[0];
        var more = shares.Count > 1 ? $", and of {string.Join(", ", shares.Skip(1).Select(found => Named(found.Percentile)))}" : "";
        return $"up to {Quantity.Percent(Math.Min(1, amount / (double)value))} of {Named(percentile)} "
            + $"({Quantity.Duration(amount)} of {Quantity.Duration(value)}){more}";
    }

    private static long ValueOf(LatencySeries cause, double percentile) =>
        cause.Percentiles.FirstOrDefault(row => row.Percentile == percentile)?.Value ?? 0;

    private static string Named(double percentile) =>
        string.Create(CultureInfo.InvariantCulture, $"p{percentile:0.###}");
}
