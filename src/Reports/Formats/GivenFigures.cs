using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Formats;

/// <summary>
/// Figures that another tool gave, as a series: the percentiles that it says, and none between them. By the rules of
/// this suite a percentile is not known where too few samples lie above it, nor where samples without a value could
/// change it.
/// </summary>
internal sealed record GivenFigures
{
    private const double MostNs = 1e17;

    public long? Count { get; init; }

    public long? Missing { get; init; }

    public double? MinNs { get; init; }

    public double? MeanNs { get; init; }

    public double? MaxNs { get; init; }

    /// <summary>From where on the tool put all values together; null where it did not.</summary>
    public double? ClippedNs { get; init; }

    /// <summary>Percentiles in nanoseconds.</summary>
    public IReadOnlyDictionary<double, double> Percentiles { get; init; } = new Dictionary<double, double>();

    /// <summary>How many nanoseconds so many of a unit are.</summary>
    /// <exception cref="ImportException">It is no time.</exception>
    public static double Nanoseconds(double value, double unit) => value * unit is >= 0 and <= MostNs and var time
        ? time
        : throw new ImportException(FormattableString.Invariant($"{value} is no time"));

    /// <exception cref="ImportException">It is no number of anything.</exception>
    public static long Whole(double count) => count is >= 0 and <= 1e15
        ? (long)Math.Round(count)
        : throw new ImportException(FormattableString.Invariant($"{count} is no number of anything"));

    /// <summary>A histogram of another unit in nanoseconds, each value as the tool reports it: its highest.</summary>
    public static LatencyHistogram InNanoseconds(LatencyHistogram values, long unit)
    {
        var converted = LatencyHistogram.ForLatency();
        if (unit == 1)
        {
            converted.Add(values);
            return converted;
        }

        foreach (var value in values.RecordedValues)
            converted.Record(value.Highest <= long.MaxValue / unit ? value.Highest * unit : long.MaxValue, value.Count);
        converted.Record(long.MaxValue, values.AboveRange);
        converted.Record(-1, values.BelowRange);
        return converted;
    }

    public LatencySeries ToSeries(string name)
    {
        var isClipped = ClippedNs is { } most && MaxNs >= most;
        var rows = PercentileTable.Percentiles.Union(Percentiles.Keys).Order().Select(RowOf).ToList();
        return new LatencySeries
        {
            Name = name,
            Count = Count,
            AboveRange = null,
            BelowRange = null,
            Missing = Missing,
            Min = Count is 0 ? null : (long?)MinNs,
            Mean = Missing > 0 || isClipped || Count is 0 ? null : MeanNs,
            Max = Missing > 0 || isClipped || Count is 0 ? null : (long?)MaxNs,
            MaxAtLeast = isClipped ? (long?)ClippedNs : null,
            Percentiles = rows,
        };
    }

    private PercentileRow RowOf(double percentile)
    {
        var row = new PercentileRow(percentile, null, null, null);
        if (!Percentiles.TryGetValue(percentile, out var value))
            return row with { Unknown = UnknownPercentile.NotGiven };
        if (Missing > 0 || value >= ClippedNs)
            return row with { Unknown = UnknownPercentile.MissingSamples };
        return Count is { } count && count < PercentileRow.LeastSamples(percentile)
            ? row with { Unknown = UnknownPercentile.TooFewSamples }
            : row with { Value = (long)Math.Round(value), UnknownInterval = UnknownInterval.NoBlocks };
    }
}
