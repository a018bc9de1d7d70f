using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Page;

/// <summary>A part of a series' time: what was timed in it. Times are nanoseconds.</summary>
/// <param name="Start">When it began.</param>
/// <param name="Length">How long it took.</param>
/// <param name="Count">How many values it has.</param>
/// <param name="P50">The median; null where too few values lie above it, as the next two.</param>
/// <param name="P90">The 90th percentile.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="Max">The largest value; null where there is none, or one was above the histogram's range.</param>
/// <param name="Bands">
/// How many lie in each quarter of an octave, from the first that has any; nothing where they were not asked for.
/// </param>
public sealed record TimeSlice(
    DateTimeOffset Start, TimeSpan Length, long Count, long? P50, long? P90, long? P99, long? Max, HeatBands Bands)
{
    /// <summary>All its values together.</summary>
    public double TotalNs { get; init; }

    /// <summary>Where it stands in a chart.</summary>
    public DateTimeOffset Middle => Start + (Length / 2);

    internal static TimeSlice Of(
        LatencyHistogram values, DateTimeOffset start, DateTimeOffset end, bool hasBands) => new(
        start,
        end - start,
        values.TotalCount,
        PercentileRow.Of(values, 50).Value,
        PercentileRow.Of(values, 90).Value,
        PercentileRow.Of(values, 99).Value,
        values.TotalCount > 0 && values.AboveRange == 0 ? values.Max : null,
        hasBands ? HeatBands.Of(values) : new HeatBands(0, []))
        {
            TotalNs = values.TotalCount > 0 ? values.Mean * values.TotalCount : 0,
        };
}

/// <summary>Counts by bands that are a quarter of an octave wide each: band n begins at 2^(n/4) ns.</summary>
public readonly record struct HeatBands(int First, IReadOnlyList<long> Counts)
{
    private const int PerOctave = 4;

    /// <summary>Where a band begins, in nanoseconds.</summary>
    public static double StartOf(int band) => Math.Pow(2, (double)band / PerOctave);

    /// <summary>How many lie in a band.</summary>
    public long At(int band) => band >= First && band < First + Counts.Count ? Counts[band - First] : 0;

    internal static HeatBands Of(LatencyHistogram values)
    {
        if (values.TotalCount == 0)
            return new HeatBands(0, []);
        var first = BandOf(values.Min);
        var counts = new long[BandOf(values.Max) - first + 1];
        foreach (var value in values.RecordedValues)
            counts[Math.Clamp(BandOf(value.Median) - first, 0, counts.Length - 1)] += value.Count;
        return new HeatBands(first, counts);
    }

    private static int BandOf(long value) => (int)Math.Floor(PerOctave * Math.Log2(Math.Max(1, value)));
}
