using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Statistics;
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

    /// <summary>The same on one screen: counts that are not zero, and the percentiles of the first line.</summary>
    public void WriteAnswer(TextWriter writer)
    {
        WriteProducers(writer);
        var counts = new[]
        {
            ("plain counts", served.Plain), ("kept without an echo, as asked", served.Kept),
            ("foreign", served.Foreign), ("corrupted", served.Corrupted), ("other version", served.OtherVersions),
            ("connections lost", served.ConnectionsLost),
        }.Where(count => count.Item2 > 0).Select(count => $"{count.Item1} {Quantity.Count(count.Item2)}").ToList();
        if (counts.Count > 0)
            writer.Line(string.Join(", ", counts));
        writer.WriteLine();
        if (served.Residence is { Count: > 0 } residence)
            writer.Line($"residence         {AnswerLine.Percentiles(residence.Percentiles)}");
        foreach (var series in served.Record.Forward?.Series.Where(series => series.Count > 0) ?? [])
        {
            writer.Line($"{series.Name,-16}  {AnswerLine.Percentiles(series.Percentiles)}, "
                + $"±{Quantity.Duration(series.ErrorNs)}");
        }
    }

    private void WriteServed(TextWriter writer)
    {
        WriteProducers(writer);
        writer.Line($"echoed {Quantity.Count(served.Echoed)} in "
            + $"{Quantity.Elapsed(TimeSpan.FromNanoseconds(served.Duration))}, "
            + $"of these plain counts {Quantity.Count(served.Plain)}"
            + (served.Kept > 0 ? $"; kept without an echo, as asked: {Quantity.Count(served.Kept)}" : string.Empty));
        writer.Line($"not answered: foreign {Quantity.Count(served.Foreign)}, corrupted "
            + $"{Quantity.Count(served.Corrupted)}, other version {Quantity.Count(served.OtherVersions)}");
        writer.Line($"connections lost: {Quantity.Count(served.ConnectionsLost)}");
    }

    private void WriteProducers(TextWriter writer)
    {
        writer.Heading("SERVED");
        if (served.Producers.Count > 0)
        {
            var hasRegions = served.Producers.Any(producer => producer.Region is not null);
            var table = new TextTable([.. Heads.Where(head => head != Region || hasRegions)]);
            foreach (var producer in served.Producers)
                table.Add([.. RowOf(producer, hasRegions)]);
            table.WriteTo(writer);
        }
    }

    private static IEnumerable<string> RowOf(ServedProducer producer, bool hasRegions)
    {
        yield return producer.Name;
        if (hasRegions)
            yield return producer.Region ?? Quantity.None;
        yield return Quantity.Count(producer.Counts.Received);
        yield return Quantity.Count(producer.WarmUp);
        yield return Quantity.Count(producer.Counts.Lost);
        yield return Quantity.Count(producer.Counts.Duplicated);
        yield return Quantity.Count(producer.Counts.Reordered);
        yield return producer.HasEnded ? "yes" : "no";
    }

    private void WriteResidence(TextWriter writer)
    {
        if (served.Residence is not { Count: > 0 } residence)
            return;
        var unit = Quantity.UnitFor(residence.Min ?? 0);
        writer.Heading($"RESIDENCE (echoed − received), {Quantity.Symbol(unit)}");
        var percentiles = PercentileTable.Percentiles;
        var table = new TextTable(["n", "min", "mean", .. percentiles.Select(LatencyTable.NameOf), "max"]);
        table.Add(
        [
            Quantity.Count(residence.Count),
            Quantity.Duration(residence.Min, unit),
            Quantity.Duration(residence.Mean, unit),
            .. percentiles.Select(at => Quantity.Duration(residence.Percentiles.At(at)?.Value, unit)),
            Quantity.Duration(residence.Max, unit),
        ]);
        table.WriteTo(writer);
        if (residence.Percentiles.Any(row => !row.IsKnown))
            writer.Line($"{Quantity.None}: fewer than ten samples lie above it");
        LatencyTable.WriteOutOfRange(writer, residence);
    }
}
