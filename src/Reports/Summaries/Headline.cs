using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
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
        var place = RecordKind.Of(record).HasPhases ? record.Summaries.Count - 1 : 0;
        if (record.Forward?.Series is [var forward, ..])
            return new(string.Empty, forward.Name, forward.Percentiles) { Missing = forward.Missing };
        return place >= 0 && place < record.Summaries.Count && SeriesOf(record.Summaries[place]) is { } series
            ? new(RecordMetrics.MarkOf(record, place), series.Name, series.Percentiles)
            {
                Missing = series.Missing ?? 0,
            }
            : null;
    }

    /// <summary>What each summary of a record is about, with its mark.</summary>
    public static IEnumerable<string> NamesIn(RunRecord record) =>
        record.Summaries
            .Select((summary, place) => (Mark: RecordMetrics.MarkOf(record, place), Series: SeriesOf(summary)))
            .Where(one => one.Series is not null).Select(one => one.Mark + one.Series!.Name);

    /// <summary>
    /// Whether a tag of the interval log is of it: its own, or that of one operation of a load, which logs no other.
    /// </summary>
    public bool IsLoggedAs(string? tag) => tag == Mark + Name
        || (Name is Measured.Response or Measured.Service && tag is not null && tag.IndexOf('.', Mark.Length) < 0
            && tag.StartsWith(Mark, StringComparison.Ordinal) && tag.EndsWith($"-{Name}", StringComparison.Ordinal));

    /// <summary>
    /// What two groups of runs are compared by: what the run is about; of another tool's measurement that of each of
    /// its tests, and that of each operation where it does not say that of all.
    /// </summary>
    internal static IEnumerable<Headline> ComparedIn(RunRecord record) => record.Imported is null
        ? Of(record) is { } headline ? [headline] : []
        : record.Summaries.SelectMany((summary, place) =>
            (SeriesOf(summary) is { } all
                ? [all]
                : summary.Latencies.Where(series => Measured.OperationOf(series.Name) is not null))
            .Select(series => new Headline(RecordMetrics.MarkOf(record, place), series.Name, series.Percentiles)));

    /// <summary>From the intended start where that was recorded. Of one operation of several it is none.</summary>
    internal static LatencySeries? SeriesOf(RunSummary summary) =>
        Named(summary, "rtt-intended") ?? Named(summary, "rtt") ?? Named(summary, Measured.Response)
        ?? Named(summary, Measured.Service)
        ?? Named(summary, Measured.Delay) ?? (summary.Sync is null ? null : Named(summary, Measured.Lag));

    private static LatencySeries? Named(RunSummary summary, string name) =>
        summary.Latencies.FirstOrDefault(series => series.Name == name);
}
