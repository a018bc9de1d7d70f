using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Merging;

/// <summary>What lies between the regions of all parts: each way has clocks of its own, so none is added up.</summary>
internal sealed class MergedRegions
{
    private readonly List<RegionWay> _ways = [];

    public void Add(RunRecord part)
    {
        if (!part.IsRotated)
            _ways.AddRange(RecordRegions.WaysOf(part).Take(RecordRegions.MostWays - _ways.Count));
    }

    public RegionMatrix? Create() => RecordRegions.Of(_ways);
}
