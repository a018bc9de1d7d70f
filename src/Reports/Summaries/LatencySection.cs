using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>How long messages took there and back; the answer has the round trip alone.</summary>
internal sealed class LatencySection(RunRecord record)
{
    private const int HalfPath = 2;

    // The order of the columns; a series that is not here is not for people.
    private static readonly string[] Columns =
        ["rtt-intended", "rtt", "network-intended", "network", "residence", "lateness"];

    public Section? Create()
    {
        var columns = Columns.SelectMany(ColumnsOf).ToList();
        if (columns.Count == 0)
            return null;
        var roundTrips = columns.FindAll(column => column.Extent == Extent.Both);
        // Lateness and residence may be far smaller than what they belong to: the round trip decides.
        var unit = Quantity.UnitFor([.. roundTrips.Select(column => column.Series.Min ?? 0)]);
        var section = new Section(
            $"{(roundTrips.Count > 0 ? "ROUND TRIP" : "SENDING")}, {Quantity.Symbol(unit)}",
            roundTrips.Count > 0 ? Extent.Both : Extent.Details);
        var table = new LatencyTable(columns, unit).ToTable();
        section.Add(table);
        if (record.Summaries.Count > 1)
        {
            section.Add(string.Join(", ", record.Summaries.Select(
                (summary, i) => $"{SummaryMark.Of(i)} is {summary.Name}")));
        }

        if (columns.Exists(column => column.Series.Name == "rtt-intended"))
            section.Add("rtt-intended: from the scheduled send; rtt: from the actual send");
        if (columns.Exists(column => column.Series.Name == "network"))
        {
            section.Add(
                "network: without the residence, the time that the consumer kept the message", Extent.Details);
        }

        LatencyTable.Explain(section, table);
        section.Add(record.Summaries.SelectMany(NotesOf), Extent.Details);
        if (record.Summaries.Any(
            summary => summary.Latencies.Any(series => series.Percentiles.Any(row => row.Lower is not null))))
            section.Add(IntervalText.Meaning, Extent.Details);
        return section;
    }

    private IEnumerable<LatencyColumn> ColumnsOf(string name)
    {
        for (var i = 0; i < record.Summaries.Count; i++)
        {
            var series = record.Summaries[i].Latencies.FirstOrDefault(known => known.Name == name);
            if (series is not null)
            {
                yield return new LatencyColumn(
                    RecordMetrics.MarkOf(record, i) + name, series,
                    name is "rtt-intended" or "rtt" ? Extent.Both : Extent.Details);
            }
        }
    }

    private IEnumerable<string?> NotesOf(RunSummary summary)
    {
        var roundTrip = summary.Latencies.FirstOrDefault(known => known.Name == "rtt");
        if ((summary.Latencies.FirstOrDefault(known => known.Name == "rtt-intended") ?? roundTrip) is not { } series)
            yield break;
        var name = record.Summaries.Count > 1 ? $"{summary.Name}: " : string.Empty;
        yield return IntervalText.Of($"{name}95 % intervals of {series.Name}", series);
        if (roundTrip?.Percentiles.At(50)?.Value is { } median)
        {
            yield return $"{name}RTT/2 (assumes that both ways take equally long): "
                + $"p50 {Quantity.Duration(median / (double)HalfPath)}";
        }

        yield return LatencyTable.OutOfRange(series, name);
    }
}
