using System.Globalization;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// The last line of a summary, for scripts: <c>RESULT role=producer verdict=valid … exit=0</c>. Its numbers are those
/// of the record's <see cref="RunRecord.Metrics"/>, by the same names; of a workload those of its last phase.
/// </summary>
internal static class ResultLine
{
    public static string Of(RunRecord record)
    {
        var kind = RecordKind.Of(record);
        var words = new List<string>
        {
            "RESULT",
            $"role={record.Role}",
            $"verdict={VerdictWord.Plain(record.Verdict.Status)}",
            $"partial={(record.Partial ? "true" : "false")}",
        };
        if (record.Verdict.UpTo is { } most)
            words.Insert(words.Count - 1, $"to={LatencyTable.NameOf(most)}");
        if (record.Targets.Count > 0)
            words.Add($"target={string.Join(',', record.Targets.Select(NameOf))}");
        if (kind.Consumed(record).SelectMany(summary => summary.Peers).Distinct().ToList() is { Count: > 0 } peers)
            words.Add($"consumer={string.Join(',', peers.Select(peer => peer.Replace(' ', '-')))}");
        if (record.Thresholds.Count > 0)
            words.Add($"thresholds={record.Thresholds.Count(result => result.Held == true)}/{record.Thresholds.Count}");
        if (kind.ResultWord(record) is { } word)
            words.Add(word);

        var metrics = record.Metrics;
        foreach (var place in kind.ResultPlaces(record))
        {
            var (mark, summary) = (RecordMetrics.MarkOf(record, place), record.Summaries[place]);
            words.AddRange(kind.ResultMetrics
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

    // Of one that is named by its role the address says which it was.
    private static string NameOf(MeasuredTarget target) =>
        (target.Name.Split(' ')[0] is "source" or "destination" or "target" ? target.Endpoint : target.Name)
            .Replace(' ', '-');

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
