using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>The delay at each destination, and of each shard of a cluster, beside that of all keys.</summary>
internal sealed class PartsSection(RunRecord record)
{
    // What the columns are of, with the percentiles that the measuring side puts in for them.
    private static readonly (string Head, double Percentile)[] Columns = [("p50", 50), ("p95", 95), ("p99", 99)];

    public IEnumerable<Section> Create()
    {
        // The first summary is that of all keys; those of the destinations follow, then those of the shards.
        var destinations = record.Summaries[0].Delay is { Destinations: > 1 } all ? all.Destinations : 0;
        int[] parts =
        [
            .. Enumerable.Range(1, record.Summaries.Count - 1)
                .Where(place => record.Summaries[place].Delay is not null),
        ];
        Section?[] sections =
        [
            Of(
                "DESTINATIONS", ["mean", .. Columns.Select(column => column.Head), "max", "±"],
                [.. parts.Take(destinations)], DestinationCells,
                summary => new DestinationLine(summary, summary.Delay!).Text,
                "±: how far the mean may be wrong; keys come between two polls"),
            Of(
                "SHARDS", ["mean", "p50", "p99", "max", "most"],
                [.. parts.Skip(destinations)], ShardCells, summary => summary.Name),
        ];
        return sections.OfType<Section>();
    }

    private static LatencySeries? SeriesOf(RunSummary summary, string name) =>
        summary.Latencies.FirstOrDefault(series => series.Name == name && series.Count > 0);

    private static string[] DestinationCells(RunSummary summary, Func<double, string> show)
    {
        var delay = new DelayCells(summary, Measured.Delay, show);
        var error = (SeriesOf(summary, Measured.DelayUpper)?.Mean - SeriesOf(summary, Measured.DelayLower)?.Mean) / 2;
        return
        [
            delay.Of(known => known.Mean), .. Columns.Select(column => delay.Percentile(column.Percentile)),
            delay.Of(known => known.Max), error is { } half ? show(half) : Quantity.None,
        ];
    }

    private static string[] ShardCells(RunSummary summary, Func<double, string> show)
    {
        var delay = new DelayCells(summary, Measured.Delay, show);
        var most = new DelayCells(summary, Measured.DelayUpper, show);
        return
        [
            delay.Of(known => known.Mean), delay.Percentile(50), delay.Percentile(99),
            delay.Of(known => known.Max), most.Of(known => known.Max),
        ];
    }

    private Section? Of(
        string what,
        string[] heads,
        int[] places,
        Func<RunSummary, Func<double, string>, string[]> cellsOf,
        Func<RunSummary, string> lineOf,
        string? note = null)
    {
        if (places.Length == 0)
            return null;
        var parts = places.Select(place => (Mark: SummaryMark.Of(place), Summary: record.Summaries[place])).ToList();
        var unit = Quantity.UnitFor([.. parts.Select(part => SeriesOf(part.Summary, Measured.DelayUpper)?.Min ?? 0)]);
        var table = new Table([string.Empty, "keys", "not read", .. heads]);
        foreach (var (mark, summary) in parts)
        {
            var (asked, read) = (summary.Count(Counted.Asked), summary.Count(Counted.Read));
            table.Add(
            [
                mark, Quantity.Count(asked), Quantity.Count(asked - read),
                .. cellsOf(summary, nanoseconds => Quantity.Duration(nanoseconds, unit)),
            ]);
        }

        var section = new Section($"{what}, {Quantity.Symbol(unit)}, from when keys were sent").Add(table)
            .Add(parts.Select(part => $"{part.Mark}: {lineOf(part.Summary)}")).Add(note);
        DelayCells.Explain(section, table);
        return section;
    }
}

/// <summary>Which destination it is, how it was read, and what became of the keys that were not.</summary>
internal sealed class DestinationLine(RunSummary summary, ReplicationDelay delay)
{
    public string Text
    {
        get
        {
            var name = delay.DestinationRegion is { } region ? $"{region}, {delay.Destination}" : delay.Destination;
            return string.Join(", ", new[] { $"{name}: read by {delay.Reading}" }.Concat(Counts()).Concat(Lag()));
        }
    }

    private IEnumerable<string> Counts()
    {
        if (delay.Polls > 0)
            yield return $"{Quantity.Count(delay.Polls)} polls";
        foreach (var metric in (Metric[])
            [Counted.Missing, Counted.Overwritten, Counted.Refused, Counted.Unsent, Counted.Unread])
        {
            if (summary.Count(metric) is > 0 and var count)
                yield return $"{metric.Name} {Quantity.Count(count)}";
        }
    }

    private IEnumerable<string> Lag() => new[] { LagText.Of(summary, "lag") }.OfType<string>();
}
