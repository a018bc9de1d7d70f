using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>The latency between regions: a row for each way, and how loops of three regions close.</summary>
public static class RegionSections
{
    private const string Doubt = " !";

    public static IReadOnlyList<Section> Of(RegionMatrix matrix) =>
        [WaysOf(matrix.Ways), .. matrix.Loops is { Count: > 0 } loops ? [LoopsOf(loops)] : Array.Empty<Section>()];

    private static Section WaysOf(IReadOnlyList<RegionWay> ways)
    {
        var table = new Table(
            "from", "to", "p50", "p99", "max", "±E", "grade", "round trip", "there − back", "±2E", "n", "missing");
        foreach (var way in ways)
            table.Add(RowOf(way));
        var section = new Section("BETWEEN REGIONS").Add(table)
            .Add("p50, p99, max: one way, from the intended send where there is a schedule; round trip, there − back: "
                + "means of what came back, without the time that the consumer kept it");
        LatencyTable.Explain(section, table);
        return section.Add(ways.Any(way => way.IsInDoubt)
            ? "!: the run was partial, doubtful or not valid. Of grade F clocks contradict each other." : null);
    }

    private static string[] RowOf(RegionWay way)
    {
        var forward = way.Forward;
        return
        [
            way.From,
            way.To,
            At(50),
            At(99),
            forward is null ? Quantity.None
                : forward.Max is null && forward.Missing > 0 ? LatencyTable.Missing : Quantity.Duration(forward.Max),
            Quantity.Duration(forward?.ErrorNs),
            $"{way.Grade}",
            Quantity.Duration(way.Check?.NetworkMeanNs),
            way.Asymmetry is { } asymmetry ? OneWaySection.Signed(asymmetry.ForwardMinusBackNs) : Quantity.None,
            Quantity.Duration(way.Asymmetry?.ErrorNs),
            Quantity.Count(forward?.Count ?? 0) + (way.IsInDoubt ? Doubt : string.Empty),
            Quantity.Count(forward?.Missing),
        ];

        string At(double percentile) => forward is null ? Quantity.None
            : LatencyTable.Cell(forward.Percentiles.At(percentile));
    }

    private static Section LoopsOf(IReadOnlyList<RegionLoop> loops)
    {
        var table = new Table("loop", "one way round", "sum of offsets", "±", "closes");
        foreach (var loop in loops)
        {
            table.Add(
                string.Join(" → ", loop.Regions.Append(loop.Regions[0])),
                Quantity.Duration(loop.MeanNs),
                OneWaySection.Signed(loop.OffsetNs),
                Quantity.Duration(loop.ErrorNs),
                loop.Closes ? "yes" : "NO");
        }

        return new Section("LOOPS OF THREE REGIONS").Add(table)
            .Add("sum of offsets: of true ones 0. Within ± it refutes nothing, and proves nothing: a way that is "
                + "longer there than back shows in no loop where all ways share it.")
            .Add("one way round: of means; it is wrong by the sum of offsets alone, not by ±, because round a loop "
                + "each clock is added as often as it is taken off")
            .Add(loops.Any(loop => !loop.Closes)
                ? "NO: something that E takes for granted is false for one of these ways; see its own result." : null);
    }
}
