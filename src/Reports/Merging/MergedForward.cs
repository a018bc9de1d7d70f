using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Merging;

/// <summary>The forward series of several consumers, as each recorded it, together.</summary>
internal sealed class MergedForward
{
    // As many as a Consumer keeps.
    private const int MostProducers = 1_000;

    private ServedForward? _sum;

    public void Add(ServedForward part) => _sum = _sum is null ? part : _sum with
    {
        Series = [.. _sum.Series.Zip(part.Series, MergedPair.Sum)],
        Received = _sum.Received + part.Received,
        NotCorrected = _sum.NotCorrected + part.NotCorrected,
        Unserved = _sum.Unserved + part.Unserved,
        Overflowed = _sum.Overflowed + part.Overflowed,
        Producers = [.. _sum.Producers.Concat(part.Producers).TakeLast(MostProducers)],
    };

    public ServedForward? Create(IReadOnlyDictionary<string, MergedSeries> series) => _sum is null ? null : _sum with
    {
        Series = [.. _sum.Series.Select(said => MergedPair.Create(said, series, string.Empty))],
    };
}
