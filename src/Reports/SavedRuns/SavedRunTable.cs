using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>Saved runs, a line each: what each was of, how good it is, and what came out.</summary>
public static class SavedRunTable
{
    public static void Write(TextWriter writer, IReadOnlyList<SavedRun> runs)
    {
        var table = new TextTable("folder", "target", "verdict", "p50", "p99") { Indent = 0 };
        foreach (var run in runs)
            table.Add(Row(run));
        table.WriteTo(writer);
    }

    private static string[] Row(SavedRun run)
    {
        var folder = Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(run.Folder)));
        if (run.Record is not { } record)
            return [folder, Quantity.None, "killed, or under way"];
        var target = string.Join(", ", record.Targets.Select(target => target.Endpoint));
        var partial = record.Partial ? ", partial" : string.Empty;
        var verdict = $"{SummaryText.Word(record.Verdict.Status)}{partial}";
        return Headline.Of(record) is { } series
            ? [folder, target, verdict, At(series.Percentiles, 50), At(series.Percentiles, 99)]
            : [folder, target, verdict, Quantity.None, Quantity.None];

        static string At(IReadOnlyList<PercentileRow> rows, double percentile) =>
            rows.At(percentile) is { Value: { } known }
                ? Quantity.Duration(known)
                : string.Create(CultureInfo.InvariantCulture, $"? ({LatencyTable.WordFor(rows.At(percentile))})");
    }
}
