using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>What became of keys that another process reads, and what needs no reader to be known.</summary>
internal sealed class WritingSection(RunSummary summary)
{
    private readonly ReplicationDelay _delay = summary.Delay
        ?? throw new ArgumentException("It is of no delay.", nameof(summary));

    // The order of the columns, and what they mean.
    private static readonly (string Series, string Meaning)[] Columns =
    [
        ("wait", "until the first replica's acknowledgement of a key was back, by this clock: more than the "
            + "delay"),
        ("lateness", "how long after it was due by the schedule a key was sent"),
    ];

    public IEnumerable<Section> Create()
    {
        var section = new Section(_delay.Heartbeat is null ? "KEYS" : "HEARTBEATS");
        var (asked, unsent, refused) = (
            summary.Count(Counted.Asked), summary.Count(Counted.Unsent), summary.Count(Counted.Refused));
        section.Add($"asked {Quantity.Count(asked)} = written {Quantity.Count(asked - unsent - refused)}, refused "
            + $"{Quantity.Count(refused)}, unsent {Quantity.Count(unsent)}");
        if (_delay.Heartbeat is { } heartbeat)
            section.Add(HeartbeatTimes.Of(summary, heartbeat));
        if (_delay.Unanswered > 0)
        {
            var unanswered = Quantity.Count(_delay.Unanswered);
            section.Add($"written, but without a reply because a connection was lost: {unanswered}");
        }

        if (summary.Rates is { Asked: { } rate, Achieved: { } achieved })
            section.Add($"rate: asked {Quantity.Rate(rate)}, achieved {Quantity.Rate(achieved)}");
        yield return section.Add($"read by {_delay.Reading}; {_delay.Clocks}");
        if (Series() is { } series)
            yield return series;
    }

    private Section? Series()
    {
        var columns = Columns.SelectMany(column => summary.Latencies
            .Where(known => known.Name == column.Series).Take(1)
            .Select(known => (column.Meaning, Series: known)))
            .Where(column => column.Series.Count > 0).ToList();
        if (columns.Count == 0)
            return null;
        // WAIT takes longer, where it is asked.
        var unit = Quantity.UnitFor(columns[0].Series.Min ?? 0);
        LatencyColumn[] shown = [.. columns.Select(column => new LatencyColumn(column.Series.Name, column.Series))];
        var table = new LatencyTable(shown, unit).ToTable();
        var section = new Section($"WRITING, {Quantity.Symbol(unit)}").Add(table)
            .Add(columns.Select(column => $"{column.Series.Name}: {column.Meaning}"));
        LatencyTable.Explain(section, table);
        return section;
    }
}

internal static class HeartbeatTimes
{
    public static string Of(RunSummary summary, HeartbeatFacts heartbeat) =>
        $"every {Quantity.Duration(heartbeat.IntervalNs)} for {Quantity.Duration(summary.DurationNs ?? 0)}, "
        + $"{Quantity.Count(heartbeat.Windows)} windows of {Quantity.Duration(heartbeat.WindowNs)}; alerts "
        + Quantity.Count(summary.Count(Counted.Alerts));
}
