using System.Text.Json.Nodes;

namespace RedisLatency.Fixtures;

/// <summary>The record of a run, as a process prints it (<c>--format json</c>).</summary>
public static class PrintedRecord
{
    /// <summary>Waits for the end of the process.</summary>
    public static async Task<(int ExitCode, JsonNode Record)> End(this Task<int> ended, ServiceProcess process)
    {
        var code = await ended;
        var printed = process.Output.ToString();
        return printed.Length > 0
            ? (code, JsonNode.Parse(printed)!)
            : throw new InvalidOperationException($"It printed no record.\n{process}");
    }

    /// <summary>A series of a summary by its name.</summary>
    public static JsonNode SeriesOf(this JsonNode summary, string name) =>
        summary["latencies"]!.AsArray().Single(series => series!["name"]!.GetValue<string>() == name)!;

    /// <summary>A series by its name.</summary>
    public static JsonNode Series(this JsonNode record, string name) => record["summaries"]![0]!.SeriesOf(name);

    /// <summary>A series' mean, in nanoseconds.</summary>
    public static double Mean(this JsonNode record, string name) => record.Series(name)["mean"]?.GetValue<double>()
        ?? ((record.Mean($"{name}-lower") + record.Mean($"{name}-upper")) / 2);

    /// <summary>A percentile of a series, in nanoseconds.</summary>
    public static long Percentile(this JsonNode record, string name, double percentile) =>
        record.Series(name)["percentiles"]!.AsArray()
            .Single(row => row!["percentile"]!.GetValue<double>() == percentile)!["value"]!.GetValue<long>();

    /// <summary>The kinds of what happened on the way, in order.</summary>
    public static IReadOnlyList<string> EventKinds(this JsonNode record) =>
        [.. record["events"]!.AsArray().Select(happened => happened!["kind"]!.GetValue<string>())];
}
