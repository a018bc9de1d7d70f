using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>The latency between regions: a row for each way, and how loops of three regions close.</summary>
public static class RegionSections
{
    private const string Doubt = " !";

    private static readonly (string Head, Extent Extent)[] Columns =
    [
        ("from", Extent.Both), ("to", Extent.Both), ("p50", Extent.Both), ("p99", Extent.Both),
        ("max", Extent.Details), ("±E", Extent.Both), ("grade", Extent.Details), ("round trip", Extent.Both),
        ("asymmetry", Extent.Both), ("n", Extent.Details), ("missing", Extent.Both),
    ];

    public static IReadOnlyList<Section> Of(RegionMatrix matrix)
    {
        var unit = Quantity.UnitFor(
            [.. matrix.Ways.Select(way => way.Forward?.Percentiles.At(50)?.Value).OfType<long>()]);
        return
        [
            WaysOf(matrix.Ways, unit),
            .. matrix.Loops is { Count: > 0 } loops ? [LoopsOf(loops, unit)] : Array.Empty<Section>(),
        ];
    }

    private static Section WaysOf(IReadOnlyList<RegionWay> ways, DurationUnit unit)
    {
        var table = new Table([.. Columns.Select(column => column.Head)])
        {
            Columns = [.. Columns.Select(column => column.Extent)],
        };
        foreach (var way in ways)
            table.Add(RowOf(way, unit));
        var section = new Section($"BETWEEN REGIONS, {Quantity.Symbol(unit)}").Add(table)
            .Add("p50, p99: one way, from the scheduled send where there is a schedule; round trip and asymmetry "
                + "(there − back, ±2E): means of what came back, without the time that the consumer kept it");
        LatencyTable.Explain(section, table);
        return section.Add(ways.Any(way => way.IsInDoubt)
            ? "!: the run was partial, doubtful or not valid. Of grade F clocks contradict each other." : null);
    }

    private static string[] RowOf(RegionWay way, DurationUnit unit)
    {
        var forward = way.Forward;
        return
        [
            way.From,
            way.To + (way.IsInDoubt ? Doubt : string.Empty),
            At(50),
            At(99),
            forward?.Max is null && forward?.Missing > 0 ? LatencyTable.Missing : Show(forward?.Max),
            Show(forward?.ErrorNs),
            $"{way.Grade}",
            Show(way.Check?.NetworkMeanNs),
            way.Asymmetry is { } asymmetry ? Signed(asymmetry.ForwardMinusBackNs, unit) : Quantity.None,
            Quantity.Count(forward?.Count ?? 0),
            Quantity.Count(forward?.Missing),
        ];

        string At(double percentile) => forward is null ? Quantity.None
            : forward.Percentiles.At(percentile) is { Value: { } known } row ? LatencyTable.MarkOf(row) + Show(known)
            : LatencyTable.WordFor(forward.Percentiles.At(percentile));

        string Show(double? nanoseconds) => Quantity.Duration(nanoseconds, unit);
    }

    private static Section LoopsOf(IReadOnlyList<RegionLoop> loops, DurationUnit unit)
    {
        var table = new Table("loop, and back", "one way round", "sum of offsets", "±", "closes");
        foreach (var loop in loops)
        {
            table.Add(
                string.Join(" → ", loop.Regions),
                Quantity.Duration(loop.MeanNs, unit),
                Signed(loop.OffsetNs, unit),
                Quantity.Duration(loop.ErrorNs, unit),
                loop.Closes ? "yes" : "NO");
        }

        return new Section($"LOOPS OF THREE REGIONS, {Quantity.Symbol(unit)}").Add(table)
            .Add("sum of offsets: 0 of true ones. Within ± it refutes nothing, and proves nothing: of ways through one "
                + "server what is longer there than back cancels round a loop")
            .Add("one way round: of means; it is wrong by the sum of offsets alone, not by ±, because round a loop "
                + "each clock is added as often as it is taken off")
            .Add(loops.Any(loop => !loop.Closes)
                ? "NO: something that E takes for granted is false for one of these ways; see its own result." : null);
    }

    private static string Signed(double nanoseconds, DurationUnit unit) =>
        (nanoseconds < 0 ? "-" : "+") + Quantity.Duration(Math.Abs(nanoseconds), unit);
}
