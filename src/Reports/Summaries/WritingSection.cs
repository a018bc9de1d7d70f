using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>What became of keys that another process reads, and what needs no reader to be known.</summary>
internal sealed class WritingSection(RunSummary summary, ReplicationDelay delay)
{
    // The order of the columns, and what they mean.
    private static readonly (string Series, string Meaning)[] Columns =
    [
        ("wait", "until the first replica's acknowledgement of a key was back, by this clock: more than the "
            + "delay"),
        ("lateness", "how long after it was due by the schedule a key was sent"),
    ];

    public void WriteTo(TextWriter writer)
    {
        writer.Heading(delay.Heartbeat is null ? "KEYS" : "HEARTBEATS");
        var (asked, unsent, refused) = (
            summary.Count(Counted.Asked), summary.Count(Counted.Unsent), summary.Count(Counted.Refused));
        writer.Line($"asked {Quantity.Count(asked)} = written {Quantity.Count(asked - unsent - refused)}, refused "
            + $"{Quantity.Count(refused)}, unsent {Quantity.Count(unsent)}");
        if (delay.Heartbeat is { } heartbeat)
            writer.Line(HeartbeatTimes.Of(summary, heartbeat));
        if (delay.Unanswered > 0)
        {
            var unanswered = Quantity.Count(delay.Unanswered);
            writer.Line($"written, but without a reply because a connection was lost: {unanswered}");
        }

        if (summary.Rates is { Asked: { } rate, Achieved: { } achieved })
            writer.Line($"rate: asked {Quantity.Rate(rate)}, achieved {Quantity.Rate(achieved)}");
        writer.Line($"read by {delay.Reading}; {delay.Clocks}");
        WriteSeries(writer);
    }

    private void WriteSeries(TextWriter writer)
    {
        var columns = Columns.SelectMany(column => summary.Latencies
            .Where(known => known.Name == column.Series).Take(1)
            .Select(known => (Head: known.Name, column.Meaning, Series: known)))
            .Where(column => column.Series.Count > 0).ToList();
        if (columns.Count == 0)
            return;
        // WAIT takes longer, where it is asked.
        var unit = Quantity.UnitFor(columns[0].Series.Min ?? 0);
        writer.Heading($"WRITING, {Quantity.Symbol(unit)}");
        var table = new LatencyTable([.. columns.Select(column => (column.Head, column.Series))], unit);
        table.WriteTo(writer);
        foreach (var column in columns)
            writer.Line($"{column.Head}: {column.Meaning}");
        table.WriteLegend(writer);
    }
}

internal static class HeartbeatTimes
{
    public static string Of(RunSummary summary, HeartbeatFacts heartbeat) =>
        $"every {Quantity.Duration(heartbeat.IntervalNs)} for {Quantity.Duration(summary.DurationNs ?? 0)}, "
        + $"{Quantity.Count(heartbeat.Windows)} windows of {Quantity.Duration(heartbeat.WindowNs)}; alerts "
        + Quantity.Count(heartbeat.Alerts);
}
