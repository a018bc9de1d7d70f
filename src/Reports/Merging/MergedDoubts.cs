using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// Which percentiles of the whole the machines can have made: in the worst case the samples of the parts in which a
/// percentile, or one below it, is in doubt are the slowest of all. Nothing is believed above what is in doubt.
/// </summary>
internal sealed class MergedDoubts
{
    private readonly List<(string Series, double From, long Samples)> _parts = [];

    public void Add(LatencySeries part) => Add(part.Name, part.Percentiles, part.Count ?? 0);

    public void Add(OneWaySeries part) => Add(part.Name, part.Percentiles, part.Count);

    public LatencySeries Mark(LatencySeries whole) => whole with
    { Percentiles = Mark(whole.Name, whole.Percentiles, whole.Count ?? 0, whole.ValueAt) };

    public OneWaySeries Mark(OneWaySeries whole) => whole with
    { Percentiles = Mark(whole.Name, whole.Percentiles, whole.Count, whole.ValueAt) };

    private void Add(string series, IReadOnlyList<PercentileRow> rows, long count)
    {
        if (rows.FirstOrDefault(row => row.InDoubt) is { } first)
            _parts.Add((series, first.Percentile, count));
    }

    private IReadOnlyList<PercentileRow> Mark(
        string series, IReadOnlyList<PercentileRow> rows, long count, Func<double, long?>? valueAt)
    {
        var parts = _parts.Where(part => part.Series == series).ToList();
        if (parts.Count == 0 || valueAt is null)
            return rows;
        var from = rows.FirstOrDefault(IsInDoubt)?.Percentile ?? double.PositiveInfinity;
        return [.. rows.Select(row => row with { InDoubt = row.Value is not null && row.Percentile >= from })];

        bool IsInDoubt(PercentileRow row) => row.Value is { } value
            && parts.Where(part => part.From <= row.Percentile).Sum(part => part.Samples) is > 0 and var samples
            && InstrumentDoubts.CanMake(value, row.Percentile, (double)samples / count, valueAt);
    }
}
