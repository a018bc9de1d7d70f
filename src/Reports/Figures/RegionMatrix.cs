namespace RedisLatency.Reports.Figures;

/// <summary>What lies between the regions of a run.</summary>
public sealed record RegionMatrix
{
    private const int MostRegions = 32;
    private const int MostLoops = 100;

    /// <summary>Every way that was measured, by its regions.</summary>
    public required IReadOnlyList<RegionWay> Ways { get; init; }

    /// <summary>The loops of three regions, the first hundred; those that do not close come first.</summary>
    public IReadOnlyList<RegionLoop> Loops => [.. LoopsOf().OrderBy(loop => loop.Closes).Take(MostLoops)];

    // Each begins with the first of its regions, and goes round in both directions.
    private IEnumerable<RegionLoop> LoopsOf()
    {
        var known = Ways.GroupBy(way => (way.From, way.To)).Where(same => same.Count() == 1)
            .ToDictionary(same => same.Key, same => same.Single());
        var regions = known.Keys.Select(way => way.From).Distinct().Order(StringComparer.Ordinal).Take(MostRegions)
            .ToList();
        return
            from a in regions.Index()
            from b in regions.Index()
            from c in regions.Index()
            where a.Index < b.Index && a.Index < c.Index && b.Index != c.Index
            let ways = new[] { (a.Item, b.Item), (b.Item, c.Item), (c.Item, a.Item) }
                .Select(pair => known.GetValueOrDefault(pair)).OfType<RegionWay>().ToList()
            where ways.Count == 3 && ways.Zip(ways.Skip(1).Append(ways[0])).All(IsOneProcess)
            let loop = RegionLoop.Of(ways)
            where loop is not null
            select loop;
    }

    private static bool IsOneProcess((RegionWay In, RegionWay Out) at) => at.In.Consumer == at.Out.Producer;
}
