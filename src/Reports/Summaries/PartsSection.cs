using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>The delay at each destination, and of each shard of a cluster, beside that of all keys.</summary>
internal sealed class PartsSection(RunRecord record)
{
    // What the columns are of, with the percentiles that the measuring side puts in for them.
    private static readonly (string Head, double Percentile)[] Columns = [("p50", 50), ("p95", 95), ("p99", 99)];

    public void WriteTo(TextWriter writer)
    {
        // The first summary is that of all keys; those of the destinations follow, then those of the shards.
        var destinations = record.Summaries[0].Delay is { Destinations: > 1 } all ? all.Destinations : 0;
        int[] parts =
        [
            .. Enumerable.Range(1, record.Summaries.Count - 1)
                .Where(place => record.Summaries[place].Delay is not null),
        ];
        WriteDestinations(writer, [.. parts.Take(destinations)]);
        WriteShards(writer, [.. parts.Skip(destinations)]);
    }

    private static LatencySeries? SeriesOf(RunSummary summary, string name) =>
        summary.Latencies.FirstOrDefault(series => series.Name == name && series.Count > 0);

    private static string[] CountsOf(RunSummary summary) =>
        [Quantity.Count(summary.Delay!.Asked), Quantity.Count(summary.Delay.Asked - summary.Delay.Read)];

    private void WriteDestinations(TextWriter writer, IReadOnlyList<int> places)
    {
        if (places.Count == 0)
            return;
        var show = Heading(writer, "DESTINATIONS", places);
        var table = new TextTable(
            [string.Empty, "keys", "not read", "mean", .. Columns.Select(column => column.Head), "max", "±"]);
        List<string> written = [];
        foreach (var place in places)
        {
            var summary = record.Summaries[place];
            var delay = new DelayCells(summary, "delay", show);
            var error = (SeriesOf(summary, "delay-upper")?.Mean - SeriesOf(summary, "delay-lower")?.Mean) / 2;
            Add(
            [
                SummaryMark.Of(place), .. CountsOf(summary), delay.Of(known => known.Mean),
                .. Columns.Select(column => delay.Percentile(column.Percentile)), delay.Of(known => known.Max),
                error is { } half ? show(half) : Quantity.None,
            ]);
        }

        table.WriteTo(writer);
        foreach (var place in places)
            SummaryText.Line(
                writer, $"{SummaryMark.Of(place)}: {new DestinationLine(record.Summaries[place].Delay!).Text}");
        SummaryText.Line(writer, "±: how far the mean may be wrong, because a key came between two looks");
        foreach (var meaning in DelayCells.LegendOf(written))
            SummaryText.Line(writer, meaning);

        void Add(string[] cells)
        {
            written.AddRange(cells);
            table.Add(cells);
        }
    }

    private void WriteShards(TextWriter writer, IReadOnlyList<int> places)
    {
        if (places.Count == 0)
            return;
        var show = Heading(writer, "SHARDS", places);
        var table = new TextTable([string.Empty, "keys", "not read", "mean", "p50", "p99", "max", "most"]);
        List<string> written = [];
        foreach (var place in places)
        {
            var delay = new DelayCells(record.Summaries[place], "delay", show);
            var most = new DelayCells(record.Summaries[place], "delay-upper", show);
            string[] cells =
            [
                SummaryMark.Of(place), .. CountsOf(record.Summaries[place]), delay.Of(known => known.Mean),
                delay.Percentile(50), delay.Percentile(99), delay.Of(known => known.Max), most.Of(known => known.Max),
            ];
            written.AddRange(cells);
            table.Add(cells);
        }

        table.WriteTo(writer);
        foreach (var place in places)
            SummaryText.Line(writer, $"{SummaryMark.Of(place)}: {record.Summaries[place].Name}");
        foreach (var meaning in DelayCells.LegendOf(written))
            SummaryText.Line(writer, meaning);
    }

    /// <returns>How a time is shown in the unit of the heading.</returns>
    private Func<double, string> Heading(TextWriter writer, string what, IReadOnlyList<int> places)
    {
        var unit = Quantity.UnitFor(
            [.. places.Select(place => SeriesOf(record.Summaries[place], "delay-upper")?.Min ?? 0)]);
        SummaryText.Heading(writer, $"{what}, {Quantity.Symbol(unit)}, from when keys were sent");
        return nanoseconds => Quantity.Duration(nanoseconds, unit);
    }
}

/// <summary>Which destination it is, how it was read, and what became of the keys that were not.</summary>
internal sealed class DestinationLine(ReplicationDelay delay)
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
            yield return $"{Quantity.Count(delay.Polls)} looks";
        var without = new[]
        {
            ("missing", delay.Missing), ("overwritten", delay.Overwritten), ("refused", delay.Refused),
            ("unsent", delay.Unsent), ("unread", delay.Unread),
        };
        foreach (var (what, count) in without)
        {
            if (count > 0)
                yield return $"{what} {Quantity.Count(count)}";
        }
    }

    private IEnumerable<string> Lag()
    {
        if (delay.Lag is { } lag)
            yield return $"lag {Quantity.Count((long)Math.Round(lag.Mean))} bytes, most {Quantity.Count(lag.Most)}";
    }
}
