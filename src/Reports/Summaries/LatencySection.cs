using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

internal sealed class LatencySection(RunRecord record)
{
    private const int HalfPath = 2;

    // The order of the columns; a series that is not here is not for people.
    private static readonly string[] Columns =
        ["rtt-intended", "rtt", "network-intended", "network", "residence", "lateness"];

    /// <summary>The round trip alone, with the percentiles that are known.</summary>
    public void WriteRoundTrip(TextWriter writer)
    {
        var columns = Columns.Where(name => name is "rtt-intended" or "rtt").SelectMany(ColumnsOf).ToList();
        if (columns.Count == 0)
            return;
        var unit = UnitOf(columns);
        writer.Heading($"ROUND TRIP, {Quantity.Symbol(unit)}");
        var table = new LatencyTable([.. columns.Select(column => (column.Head, column.Series))], unit)
        {
            ShowsKnownOnly = true,
        };
        table.WriteTo(writer);
        WriteLegend(writer, columns);
        table.WriteLegend(writer, highest: 0);
    }

    public void WriteTo(TextWriter writer)
    {
        var columns = Columns.SelectMany(ColumnsOf).ToList();
        if (columns.Count == 0)
            return;
        var unit = UnitOf(columns);
        var hasRoundTrip = columns.Exists(column => column.Name == "rtt");
        writer.Heading($"{(hasRoundTrip ? "ROUND TRIP" : "SENDING")}, {Quantity.Symbol(unit)}");
        var table = new LatencyTable([.. columns.Select(column => (column.Head, column.Series))], unit);
        table.WriteTo(writer);
        WriteLegend(writer, columns);
        table.WriteLegend(writer);
        foreach (var summary in record.Summaries)
            WriteHeadline(writer, summary);
        if (record.Summaries.Any(
            summary => summary.Latencies.Any(series => series.Percentiles.Any(row => row.Lower is not null))))
            writer.Line(IntervalText.Meaning);
    }

    private IEnumerable<Column> ColumnsOf(string name)
    {
        for (var i = 0; i < record.Summaries.Count; i++)
        {
            var series = record.Summaries[i].Latencies.FirstOrDefault(known => known.Name == name);
            if (series is not null)
                yield return new Column(name, RecordMetrics.MarkOf(record, i) + name, series);
        }
    }

    // Lateness and residence may be far smaller than what they belong to: the round trip decides.
    private static DurationUnit UnitOf(List<Column> columns) => Quantity.UnitFor(
        [.. columns.Where(column => column.Name.StartsWith("rtt", StringComparison.Ordinal))
            .Select(column => column.Series.Min ?? 0)]);

    private void WriteLegend(TextWriter writer, List<Column> columns)
    {
        var heads = columns.Select(column => column.Name).ToHashSet();
        if (record.Summaries.Count > 1)
        {
            writer.Line(string.Join(", ", record.Summaries.Select(
                (summary, i) => $"{SummaryMark.Of(i)} is {summary.Name}")));
        }

        if (heads.Contains("rtt-intended"))
            writer.Line("rtt-intended: from the scheduled send; rtt: from the actual send");
        if (heads.Contains("network"))
            writer.Line("network: without the residence, the time that the consumer kept the message");
    }

    private void WriteHeadline(TextWriter writer, RunSummary summary)
    {
        var series = summary.Latencies.FirstOrDefault(known => known.Name == "rtt-intended")
            ?? summary.Latencies.FirstOrDefault(known => known.Name == "rtt");
        if (series is null)
            return;
        var name = record.Summaries.Count > 1 ? $"{summary.Name}: " : string.Empty;
        IntervalText.Write(writer, $"{name}95 % intervals of {series.Name}", series);
        var roundTrip = summary.Latencies.First(known => known.Name == "rtt");
        if (roundTrip.Percentiles.At(50)?.Value is { } median)
        {
            writer.Line($"{name}RTT/2 (assumes that both ways take equally long): "
                + $"p50 {Quantity.Duration(median / (double)HalfPath)}");
        }

        LatencyTable.WriteOutOfRange(writer, series, name);
    }

    private sealed record Column(string Name, string Head, LatencySeries Series);
}
