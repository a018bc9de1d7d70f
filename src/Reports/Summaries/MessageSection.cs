using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

internal sealed class MessageSection(RunRecord record)
{
    private static readonly (string Name, Func<MessageCounts, long?> Of)[] Counts =
    [
        ("asked", counts => counts.Asked),
        ("sent", counts => counts.Sent),
        ("unsent", counts => counts.Unsent),
        ("received", counts => counts.Received),
        ("returned", counts => counts.Returned),
        ("lost", counts => counts.Lost),
        ("late", counts => counts.Late),
        ("duplicated", counts => counts.Duplicated),
        ("reordered", counts => counts.Reordered),
        ("wrong", counts => counts.Wrong),
        ("corrupted", counts => counts.Corrupted),
        ("foreign", counts => counts.Foreign),
    ];

    public void WriteTo(TextWriter writer)
    {
        writer.Heading("MESSAGES");
        if (record.Summaries.Count == 1)
            WriteInPairs(writer, record.Summaries[0].Counts);
        else
            WriteSideBySide(writer);
        foreach (var summary in record.Summaries)
            writer.Line(RateOf(summary));
    }

    /// <summary>One row for each summary, without what is zero.</summary>
    public void WriteRow(TextWriter writer)
    {
        writer.WriteLine();
        foreach (var summary in record.Summaries)
        {
            var name = record.Summaries.Count > 1 ? $"{summary.Name}: " : string.Empty;
            var counts = Counts.Select(count => (count.Name, Value: count.Of(summary.Counts)))
                .Where(count => count.Value is > 0)
                .Select(count => $"{count.Name} {Quantity.Count(count.Value)}");
            var rate = Quantity.Rate(summary.Rates.Achieved ?? double.NaN);
            var asked = summary.Rates.Asked is { } wanted ? $" of {Quantity.Rate(wanted)}" : string.Empty;
            writer.Line($"{name}{string.Join(", ", counts)}; {rate}{asked}");
        }
    }

    private static void WriteInPairs(TextWriter writer, MessageCounts counts)
    {
        var known = Counts.Where(count => count.Of(counts) is not null).ToList();
        for (var from = 0; from < known.Count; from += 6)
        {
            var block = known.Skip(from).Take(6).ToList();
            var table = new TextTable([string.Empty, .. block.Select(count => count.Name)]) { Indent = 0 };
            table.Add([string.Empty, .. block.Select(count => Quantity.Count(count.Of(counts)!.Value))]);
            table.WriteTo(writer);
        }
    }

    private void WriteSideBySide(TextWriter writer)
    {
        var table = new TextTable([string.Empty, .. record.Summaries.Select(summary => summary.Name)]);
        foreach (var (name, of) in Counts)
            table.Add([name, .. record.Summaries.Select(summary => Quantity.Count(of(summary.Counts)))]);

        table.WriteTo(writer);
    }

    private string RateOf(RunSummary summary)
    {
        var name = record.Summaries.Count > 1 ? $"{summary.Name}: " : string.Empty;
        var achieved = summary.Rates.Achieved ?? double.NaN;
        if (summary.Rates.Asked is { } asked)
        {
            return $"{name}asked {Quantity.Rate(asked)}, achieved {Quantity.Rate(achieved)} "
                + $"({Quantity.Percent(achieved / asked)})";
        }

        // The seed's two figures.
        var roundTrip = summary.Latencies.FirstOrDefault(series => series.Name == "rtt");
        var average = Quantity.Duration(roundTrip?.Mean);
        var returned = summary.Counts.Returned ?? 0;
        var rate = summary.DurationNs is > 0 and var durationNs ? returned * 1e9 / durationNs : double.NaN;
        return $"{name}{Quantity.Count(returned)} round trips one after the other in "
            + $"{Quantity.Duration(summary.DurationNs ?? 0)}, average {average} ({Quantity.Rate(rate)})";
    }
}
