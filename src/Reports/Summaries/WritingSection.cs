using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>What became of keys that another process reads, and what needs no reader to be known.</summary>
internal sealed class WritingSection(RunSummary summary, ReplicationDelay delay)
{
    // The order, the words of the columns, and what they mean.
    private static readonly (string Series, string Head, string Meaning)[] Columns =
    [
        ("wait", "WAIT", "until the first replica had acknowledged a key, by this clock alone: more than its delay, by "
            + "the way back"),
        ("lateness", "lateness", "how long after it was due by the schedule a key was sent"),
    ];

    public void WriteTo(TextWriter writer)
    {
        SummaryText.Heading(writer, delay.Heartbeat is null ? "KEYS" : "HEARTBEATS");
        var written = delay.Asked - delay.Unsent - delay.Refused;
        SummaryText.Line(writer, $"asked {Quantity.Count(delay.Asked)} = written {Quantity.Count(written)}, refused "
            + $"{Quantity.Count(delay.Refused)}, unsent {Quantity.Count(delay.Unsent)}");
        if (delay.Heartbeat is { } heartbeat)
            SummaryText.Line(writer, HeartbeatTimes.Of(summary, heartbeat));
        if (delay.Unanswered > 0)
        {
            SummaryText.Line(
                writer,
                $"written, but without a reply because a connection was lost: {Quantity.Count(delay.Unanswered)}");
        }

        if (summary.Rates is { Asked: { } asked, Achieved: { } achieved })
            SummaryText.Line(writer, $"rate: asked {Quantity.Rate(asked)}, achieved {Quantity.Rate(achieved)}");
        SummaryText.Line(writer, $"read by {delay.Reading}; {delay.Clocks}");
        WriteSeries(writer);
    }

    private void WriteSeries(TextWriter writer)
    {
        var columns = Columns.SelectMany(column => summary.Latencies
            .Where(known => known.Name == column.Series).Take(1)
            .Select(known => (column.Head, column.Meaning, Series: known)))
            .Where(column => column.Series.Count > 0).ToList();
        if (columns.Count == 0)
            return;
        // WAIT takes longer, where it is asked.
        var unit = Quantity.UnitFor(columns[0].Series.Min ?? 0);
        SummaryText.Heading(writer, $"WRITING, {Quantity.Symbol(unit)}");
        var table = new LatencyTable([.. columns.Select(column => (column.Head, column.Series))], unit);
        table.WriteTo(writer);
        foreach (var column in columns)
            SummaryText.Line(writer, $"{column.Head}: {column.Meaning}");
        table.WriteLegend(writer);
    }
}
