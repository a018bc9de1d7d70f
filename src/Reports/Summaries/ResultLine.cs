using System.Globalization;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// The last line of a summary, for scripts: <c>RESULT role=producer verdict=valid … exit=0</c>. Its numbers are those
/// of the record's <see cref="RunRecord.Metrics"/>, by the same names; of a workload those of its last phase.
/// </summary>
internal static class ResultLine
{
    private static readonly Dictionary<string, string[]> Shown = new()
    {
        ["producer"] =
        [
            "sent", "returned", "lost", "late", "rtt-intended.p50", "rtt-intended.p99", "rtt.p50", "rtt.p99",
            "clock-error", "forward-intended.p50", "forward.p50", "back-intended.p50", "back.p50",
        ],
        [ServedRecord.Role] = ["echoed", "forward.p50", "clock-error"],
        [WorkloadResults.Role] =
        [
            "sent", "returned", "unsent", "lost", "timed-out", "errors", "misses", "throughput", "cpu-per-operation",
            "response.p50", "response.p99", "service.p50", "service.p99",
        ],
        ["replication"] =
        [
            "sent", "returned", "read", "keys", "commands", "filtered", "skipped", "missing", "overwritten",
            "refused", "unread", "unsent",
            "clock-error", "delay-intended.p50", "delay-intended.p99", "delay.p50", "delay.p99", "lag.p50", "lag.p99",
        ],
    };

    public static string Of(RunRecord record)
    {
        var words = new List<string>
        {
            "RESULT",
            $"role={record.Role}",
            $"verdict={SummaryText.Word(record.Verdict.Status).ToLowerInvariant().Replace(' ', '-')}",
            $"partial={(record.Partial ? "true" : "false")}",
        };
        if (record.Verdict.UpTo is { } most)
            words.Insert(words.Count - 1, $"to={LatencyTable.NameOf(most)}");
        if (record.Targets.Count > 0)
            words.Add($"target={string.Join(',', record.Targets.Select(target => target.Name.Replace(' ', '-')))}");
        if (record.Thresholds.Count > 0)
            words.Add($"thresholds={record.Thresholds.Count(result => result.Held == true)}/{record.Thresholds.Count}");
        if (record.Role == ServedRecord.Role)
            words.Add($"served={new ServedRecord(record).Producers.Count}");
        if (record.Role == WorkloadResults.Role)
            words.Add($"phases={WorkloadResults.PhasesOf(record).Count}");

        var metrics = record.Metrics;
        foreach (var place in PlacesOf(record))
        {
            var (mark, summary) = (RecordMetrics.MarkOf(record, place), record.Summaries[place]);
            words.AddRange(Shown.GetValueOrDefault(record.Role, [])
                .Select(name => Word(metrics, mark, summary, name)).OfType<string>());
            if (summary.OneWay is [{ Grade: { } grade }])
                words.Add($"{mark}grade={grade}");
        }

        words.AddRange(metrics
            .Where(metric => metric.Key.StartsWith(RecordMetrics.ComparisonMark, StringComparison.Ordinal)
                && metric.Key.EndsWith(".ratio", StringComparison.Ordinal))
            .Select(metric => string.Create(CultureInfo.InvariantCulture, $"{metric.Key}={metric.Value:0.###}")));
        if (metrics.TryGetValue("max-rate", out var rate))
            words.Add(string.Create(CultureInfo.InvariantCulture, $"max-rate={rate:0.###}"));
        words.Add($"exit={record.ExitCode}");
        return string.Join(' ', words);
    }

    private static IEnumerable<int> PlacesOf(RunRecord record) => record.Role switch
    {
        ServedRecord.Role => Enumerable.Range(0, Math.Min(1, record.Summaries.Count)),
        // Each phase is a turn of one of two servers.
        WorkloadResults.Role when record.Comparison is not null => [],
        WorkloadResults.Role => Told(record)
            .Select(phase => record.Summaries.ToList().IndexOf(phase)),
        _ when record.Summaries is [{ Sync: not null }, ..] => [0],
        _ => Enumerable.Range(0, record.Summaries.Count),
    };

    // Of a search the step that is its answer.
    private static IEnumerable<RunSummary> Told(RunRecord record)
    {
        var phases = WorkloadResults.PhasesOf(record);
        var answer = record.Search?.Answer?.Phase;
        return phases.Where(phase => WorkloadResults.Of(phase).Phase == answer).Concat(phases.TakeLast(1)).Take(1);
    }

    private static string? Word(
        IReadOnlyDictionary<string, double> metrics, string mark, RunSummary summary, string name)
    {
        if (metrics.TryGetValue(mark + name, out var value))
            return string.Create(CultureInfo.InvariantCulture, $"{mark}{name}={value:0.###}");
        return name.Split(".p") is [var series, var percentile]
            && DelayCells.EndsOf(summary, series, int.Parse(percentile, CultureInfo.InvariantCulture))
                is var (least, most)
            ? string.Create(CultureInfo.InvariantCulture, $"{mark}{name}={least}{DelayCells.Between}{most}")
            : null;
    }
}
