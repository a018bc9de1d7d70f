using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>Saved runs, a line each: what each was of, how good it is, and what came out.</summary>
public static class SavedRunTable
{
    private const string Stamp = "yyyyMMdd-HHmmss";

    public static Section Of(IReadOnlyList<SavedRun> runs)
    {
        // A folder that a run made says when it began and what it was called; one that somebody named does not.
        var isTold = runs.All(run => run.Record is not { } record
            || FolderOf(run).StartsWith($"{BeganAt(record, Stamp)}-{record.Run}-", StringComparison.Ordinal));
        string[] more = isTold ? [] : ["run", "began (UTC)"];
        var table = new Table(["folder", .. more, "target", "verdict", "p50", "p99"]) { Indent = 0 };
        foreach (var run in runs)
            table.Add(Row(run, isTold));
        return new Section().Add(table);
    }

    private static string FolderOf(SavedRun run) =>
        Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(run.Folder)));

    private static string BeganAt(RunRecord record, string format) => record.Phases is [var first, ..]
        ? first.StartUtc.ToString(format, CultureInfo.InvariantCulture)
        : Quantity.None;

    private static string[] Row(SavedRun run, bool isTold)
    {
        if (run.Record is not { } record)
        {
            string[] unknown = isTold ? [] : [run.Name, Quantity.None];
            return [FolderOf(run), .. unknown, Quantity.None, "killed, or under way"];
        }

        var target = string.Join(", ", record.Targets.Select(target => target.Endpoint));
        var partial = record.Partial ? ", partial" : string.Empty;
        var headline = Headline.Of(record);
        return
        [
            FolderOf(run),
            .. isTold ? [] : new[] { record.Run, BeganAt(record, "yyyy-MM-dd HH:mm:ss") },
            target,
            $"{VerdictWord.Of(record.Verdict)}{partial}",
            headline is null ? Quantity.None : At(headline, 50),
            headline is null ? Quantity.None : At(headline, 99),
        ];

        string At(Headline headline, double percentile)
        {
            var row = headline.Percentiles.At(percentile);
            return row is { Value: not null } ? LatencyTable.Cell(row)
                : DelayCells.EndsOf(record.Summaries[0], headline.Name, percentile) is var (least, most)
                ? $"{Quantity.Duration(least)}{DelayCells.Between}{Quantity.Duration(most)}"
                : $"? ({LatencyTable.WordFor(row)})";
        }
    }
}
