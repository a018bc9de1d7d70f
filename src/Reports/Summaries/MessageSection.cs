using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

internal sealed class MessageSection(RunRecord record)
{
    private static readonly Metric[] Shown =
    [
        Counted.Asked, Counted.Sent, Counted.Unsent, Counted.Received, Counted.Returned, Counted.Lost, Counted.Late,
        Counted.Duplicated, Counted.Reordered, Counted.Wrong, Counted.Corrupted, Counted.Foreign,
    ];

    public void WriteTo(TextWriter writer)
    {
        writer.Heading("MESSAGES");
        if (record.Summaries.Count == 1)
            WriteInPairs(writer, record.Summaries[0]);
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
            var counts = Shown.Select(metric => (metric.Name, Value: summary.Count(metric)))
                .Where(count => count.Value is > 0)
                .Select(count => $"{count.Name} {Quantity.Count(count.Value)}");
            var rate = Quantity.Rate(summary.Rates.Achieved ?? double.NaN);
            var asked = summary.Rates.Asked is { } wanted ? $" of {Quantity.Rate(wanted)}" : string.Empty;
            writer.Line($"{name}{string.Join(", ", counts)}; {rate}{asked}");
        }
    }

    private static void WriteInPairs(TextWriter writer, RunSummary summary)
    {
        var known = Shown.Where(metric => summary.Count(metric) is not null).ToList();
        for (var from = 0; from < known.Count; from += 6)
        {
            var block = known.Skip(from).Take(6).ToList();
            var table = new TextTable([string.Empty, .. block.Select(metric => metric.Name)]) { Indent = 0 };
            table.Add([string.Empty, .. block.Select(metric => Quantity.Count(summary.Count(metric)))]);
            table.WriteTo(writer);
        }
    }

    private void WriteSideBySide(TextWriter writer)
    {
        var table = new TextTable([string.Empty, .. record.Summaries.Select(summary => summary.Name)]);
        foreach (var metric in Shown)
            table.Add([metric.Name, .. record.Summaries.Select(summary => Quantity.Count(summary.Count(metric)))]);
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
        var returned = summary.Count(Counted.Returned) ?? 0;
        var rate = summary.DurationNs is > 0 and var durationNs ? returned * 1e9 / durationNs : double.NaN;
        return $"{name}{Quantity.Count(returned)} round trips one after the other in "
            + $"{Quantity.Duration(summary.DurationNs)}, average {average} ({Quantity.Rate(rate)})";
    }
}
