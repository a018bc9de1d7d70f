using System.Text.Json.Nodes;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Runs <c>delay</c> as users do, and reads what it says.</summary>
internal static class DelayProcess
{
    /// <summary>Starts it; the results are printed as JSON.</summary>
    public static ServiceProcess Start(string source, string destination, params string[] arguments) =>
        Start(source, [destination], arguments);

    /// <summary>Starts it with several destinations.</summary>
    public static ServiceProcess Start(string source, string[] destinations, params string[] arguments) =>
        ServiceProcess.Start(
            "Replication",
            [
                "delay", "--source", source, .. destinations.SelectMany(one => new[] { "--destination", one }),
                "--format", "json", "--live", "none", .. arguments,
            ]);

    /// <summary>What became of the keys.</summary>
    public static JsonNode Keys(this JsonNode record) => record["summaries"]![0]!["delay"]!;

    /// <summary>The summaries of the shards.</summary>
    public static IReadOnlyList<JsonNode> Shards(this JsonNode record) =>
        [.. record["summaries"]!.AsArray().Skip(1).Select(summary => summary!)];

    /// <summary>The summaries of the destinations.</summary>
    public static IReadOnlyList<JsonNode> Destinations(this JsonNode record) =>
        [.. record.Shards().Take(record.Keys()["destinations"]!.GetValue<int>())];

    /// <summary>One of the counts of a summary's keys.</summary>
    public static long CountOf(this JsonNode summary, string name) => summary["metrics"]!.AsArray()
        .Single(row => row!["name"]!.GetValue<string>() == name)!["value"]!.GetValue<long>();

    /// <summary>
    /// How a process ends that a signal stops: not valid where more than a hundredth was not sent or was refused, as
    /// while a shard has no primary. What was due while the process was held up has the delay of a later one, and the
    /// record does not tell it from what was not sent for want of a connection: there its own verdict says which.
    /// </summary>
    public static int CodeOfStop(this JsonNode record, int signalled)
    {
        var tolerable = 0.01 * record.Count("asked");
        var (refused, unsent) = (record.Count("refused"), record.Count("unsent"));
        var isNotValid = refused > tolerable
            || (refused + unsent > tolerable && record["verdict"]!["status"]!.GetValue<string>() == "NotValid");
        return isNotValid ? 4 : signalled;
    }

    /// <summary>One of the counts of all keys; those that are zero are there too.</summary>
    public static long Count(this JsonNode record, string name) => record["summaries"]![0]!.CountOf(name);

    /// <summary>
    /// That it ended well; a machine that is too busy for the schedule is no fault of what is tested.
    /// </summary>
    public static void ShouldBeValidUnlessLate(this JsonNode record, int exitCode, ServiceProcess process)
    {
        var reasons = record["verdict"]!["reasons"]!.AsArray().Select(reason => reason!.GetValue<string>()).ToList();
        var isLate = reasons.Exists(reason => reason.Contains("the schedule could not be kept", StringComparison.Ordinal));
        exitCode.ShouldBe(isLate ? 4 : 0, process.ToString());
    }

    /// <summary>That every key that was asked for is in one of the counts: of all, and of each part.</summary>
    public static void ShouldAccountForAllKeys(this JsonNode record)
    {
        foreach (var summary in record["summaries"]!.AsArray().Select(summary => summary!))
        {
            new[] { "unsent", "refused", "read", "overwritten", "missing", "unread" }.Sum(summary.CountOf)
                .ShouldBe(summary.CountOf("asked"), summary["name"]!.GetValue<string>());
        }
    }
}
