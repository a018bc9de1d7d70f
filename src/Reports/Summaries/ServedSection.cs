using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Summaries;

/// <summary>What a Consumer served, and how long it kept each message.</summary>
internal sealed class ServedSection(ServedRecord served)
{
    private const string Region = "region";

    private static readonly string[] Heads =
        ["producer", Region, "received", "warm-up", "lost", "duplicated", "reordered", "ended"];

    public void WriteTo(TextWriter writer)
    {
        WriteServed(writer);
        WriteResidence(writer);
        if (served.Record.Forward is { } forward)
            new ServedForwardSection(forward).WriteTo(writer);
        new ServedClockSection(served.Record).WriteTo(writer);
    }

    private void WriteServed(TextWriter writer)
    {
        SummaryText.Heading(writer, "SERVED");
        if (served.Producers.Count > 0)
        {
            var hasRegions = served.Producers.Any(producer => producer.Region is not null);
            var table = new TextTable([.. Heads.Where(head => head != Region || hasRegions)]);
            foreach (var producer in served.Producers)
                table.Add([.. RowOf(producer, hasRegions)]);
            table.WriteTo(writer);
        }

        SummaryText.Line(writer, $"echoed {Quantity.Count(served.Echoed)} in "
            + $"{Quantity.Elapsed(TimeSpan.FromNanoseconds(served.Duration))}, "
            + $"of these plain counts {Quantity.Count(served.Plain)}"
            + (served.Kept > 0 ? $"; kept without an echo, as asked: {Quantity.Count(served.Kept)}" : string.Empty));
        SummaryText.Line(writer, $"not answered: foreign {Quantity.Count(served.Foreign)}, corrupted "
            + $"{Quantity.Count(served.Corrupted)}, other version {Quantity.Count(served.OtherVersions)}");
        SummaryText.Line(writer, $"connections lost: {Quantity.Count(served.ConnectionsLost)}");
    }

    private static IEnumerable<string> RowOf(ServedProducer producer, bool hasRegions)
    {
        yield return producer.Name;
        if (hasRegions)
            yield return producer.Region ?? Quantity.None;
        foreach (var count in new[]
        {
            producer.Counts.Received, producer.WarmUp, producer.Counts.Lost, producer.Counts.Duplicated,
            producer.Counts.Reordered,
        })
        {
            yield return count is { } known ? Quantity.Count(known) : Quantity.None;
        }

        yield return producer.HasEnded ? "yes" : "no";
    }

    private void WriteResidence(TextWriter writer)
    {
        if (served.Residence is not { Count: > 0 } residence)
            return;
        var unit = Quantity.UnitFor(residence.Min ?? 0);
        SummaryText.Heading(writer, $"RESIDENCE (echoed − received), {Quantity.Symbol(unit)}");
        var table = new TextTable(["n", "min", "mean", .. PercentileTable.Percentiles.Select(NameOf), "max"]);
        table.Add(
        [
            Quantity.Count(residence.Count),
            Quantity.Duration(residence.Min ?? double.NaN, unit),
            Quantity.Duration(residence.Mean ?? double.NaN, unit),
            .. PercentileTable.Percentiles.Select(percentile => Cell(residence, percentile, unit)),
            Quantity.Duration(residence.Max ?? double.NaN, unit),
        ]);
        table.WriteTo(writer);
        if (residence.Percentiles.Any(row => !row.IsKnown))
            SummaryText.Line(writer, $"{Quantity.None}: fewer than ten samples lie above it");
        if (residence.AboveRange + residence.BelowRange > 0)
        {
            SummaryText.Line(writer, $"out of range and in no percentile: "
                + $"{Quantity.Count(residence.AboveRange)} above, {Quantity.Count(residence.BelowRange)} negative");
        }
    }

    private static string Cell(LatencySeries series, double percentile, DurationUnit unit) =>
        series.Percentiles.FirstOrDefault(row => row.Percentile == percentile)?.Value is { } value
            ? Quantity.Duration(value, unit)
            : Quantity.None;

    private static string NameOf(double percentile) =>
        string.Create(CultureInfo.InvariantCulture, $"p{percentile:0.###}");
}
