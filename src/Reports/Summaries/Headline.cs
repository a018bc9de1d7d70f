using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>The series that a run is about: the one of which its first line tells.</summary>
/// <param name="Mark">What precedes its name in the interval log and among the metrics.</param>
/// <param name="Name">The series.</param>
/// <param name="Percentiles">What is known of it.</param>
public sealed record Headline(string Mark, string Name, IReadOnlyList<PercentileRow> Percentiles)
{
    /// <summary>How many have no value.</summary>
    public long Missing { get; init; }

    /// <summary>Of a workload's last phase, of the first target of others; null where nothing was timed.</summary>
    public static Headline? Of(RunRecord record)
    {
        var place = record.Role == WorkloadResults.Role ? record.Summaries.Count - 1 : 0;
        if (record.Forward?.Series is [var forward, ..])
            return new(string.Empty, forward.Name, forward.Percentiles) { Missing = forward.Missing };
        return place >= 0 && place < record.Summaries.Count && SeriesOf(record.Summaries[place]) is { } series
            ? new(RecordMetrics.MarkOf(record, place), series.Name, series.Percentiles)
            {
                Missing = series.Missing ?? 0,
            }
            : null;
    }

    /// <summary>
    /// Whether a tag of the interval log is of it: its own, or that of one operation of a load, which logs no other.
    /// </summary>
    public bool IsLoggedAs(string? tag) => tag == Mark + Name
        || (Name is "response" or "service" && tag is not null && tag.IndexOf('.', Mark.Length) < 0
            && tag.StartsWith(Mark, StringComparison.Ordinal) && tag.EndsWith($"-{Name}", StringComparison.Ordinal));

    /// <summary>From the intended start where that was recorded.</summary>
    internal static LatencySeries? SeriesOf(RunSummary summary) =>
        Named(summary, "rtt-intended") ?? Named(summary, "rtt") ?? Named(summary, "response")
        ?? summary.Latencies.FirstOrDefault(series => series.Name == "service"
            || series.Name.EndsWith("-service", StringComparison.Ordinal))
        ?? Named(summary, ReplicationDelay.SeriesName) ?? (summary.Sync is null ? null : Named(summary, "lag"));

    private static LatencySeries? Named(RunSummary summary, string name) =>
        summary.Latencies.FirstOrDefault(series => series.Name == name);
}
