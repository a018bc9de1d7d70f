using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// Which percentiles of the whole the machines can have made: in the worst case the samples of the parts in which a
/// percentile is in doubt are the slowest of all.
/// </summary>
internal sealed class MergedDoubts
{
    private readonly Dictionary<(string Series, double Percentile), long> _samples = [];

    public void Add(LatencySeries part) => Add(part.Name, part.Percentiles, part.Count ?? 0);

    public void Add(OneWaySeries part) => Add(part.Name, part.Percentiles, part.Count);

    public LatencySeries Mark(LatencySeries whole) => whole with
    { Percentiles = Mark(whole.Name, whole.Percentiles, whole.Count ?? 0, whole.ValueAt) };

    public OneWaySeries Mark(OneWaySeries whole) => whole with
    { Percentiles = Mark(whole.Name, whole.Percentiles, whole.Count, whole.ValueAt) };

    private void Add(string series, IReadOnlyList<PercentileRow> rows, long count)
    {
        foreach (var row in rows.Where(row => row.InDoubt))
        {
            var key = (series, row.Percentile);
            _samples[key] = _samples.GetValueOrDefault(key) + count;
        }
    }

    private IReadOnlyList<PercentileRow> Mark(
        string series, IReadOnlyList<PercentileRow> rows, long count, Func<double, long?>? valueAt)
    {
        return _samples.Count == 0 || valueAt is null
            ? rows
            : [.. rows.Select(row => row with { InDoubt = IsInDoubt(row) })];

        bool IsInDoubt(PercentileRow row) => row.Value is { } value
            && _samples.TryGetValue((series, row.Percentile), out var samples)
            && InstrumentDoubts.CanMake(value, row.Percentile, (double)samples / count, valueAt);
    }
}
