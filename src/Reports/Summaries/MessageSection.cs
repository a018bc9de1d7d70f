using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>What became of messages; in the answer a line for each summary, without what is zero.</summary>
internal sealed class MessageSection(RunRecord record)
{
    private static readonly Metric[] Shown =
    [
        Counted.Asked, Counted.Sent, Counted.Unsent, Counted.Received, Counted.Returned, Counted.Lost, Counted.Late,
        Counted.Duplicated, Counted.Reordered, Counted.Wrong, Counted.Corrupted, Counted.Foreign,
    ];

    public IEnumerable<Section> Create()
    {
        yield return new Section(null, Extent.Answer).Add(record.Summaries.Select(LineOf));
        var details = new Section("MESSAGES", Extent.Details);
        foreach (var table in record.Summaries is [var only] ? InPairs(only) : [SideBySide()])
            details.Add(table);
        yield return details.Add(record.Summaries.Select(RateOf));
    }

    private string LineOf(RunSummary summary)
    {
        var counts = Shown.Select(metric => (metric.Name, Value: summary.Count(metric)))
            .Where(count => count.Value is > 0)
            .Select(count => $"{count.Name} {Quantity.Count(count.Value)}");
        var rate = Quantity.Rate(summary.Rates.Achieved ?? double.NaN);
        var asked = summary.Rates.Asked is { } wanted ? $" of {Quantity.Rate(wanted)}" : string.Empty;
        return $"{NameOf(summary)}{string.Join(", ", counts)}; {rate}{asked}";
    }

    private static IEnumerable<Table> InPairs(RunSummary summary) =>
        Shown.Where(metric => summary.Count(metric) is not null).Chunk(6).Select(block =>
            new Table([string.Empty, .. block.Select(metric => metric.Name)]) { Indent = 0 }
                .Add([string.Empty, .. block.Select(metric => Quantity.Count(summary.Count(metric)))]));

    private Table SideBySide()
    {
        var table = new Table([string.Empty, .. record.Summaries.Select(summary => summary.Name)]);
        foreach (var metric in Shown)
            table.Add([metric.Name, .. record.Summaries.Select(summary => Quantity.Count(summary.Count(metric)))]);
        return table;
    }

    private string NameOf(RunSummary summary) => record.Summaries.Count > 1 ? $"{summary.Name}: " : string.Empty;

    private string RateOf(RunSummary summary)
    {
        var name = NameOf(summary);
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
