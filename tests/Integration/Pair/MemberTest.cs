using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Pair;

/// <summary>Producers and Consumers that measure as one run, and meet at another server than they measure.</summary>
public abstract class MemberTest : PairTest
{
    /// <summary>The run's name.</summary>
    protected const string RunName = "night";

    /// <summary>What lies between members and their servers; ended with the test.</summary>
    protected List<WanLink> Links { get; } = [];

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        Links.ForEach(link => link.Dispose());
        GC.SuppressFinalize(this);
    }

    /// <summary>Starts a member, which is called by its role and index: <c>producer-0</c>.</summary>
    protected ServiceProcess StartMember(
        RedisServerProcess control, string role, int index, string expect, params string[] arguments) => Own(Start(
            role, ["--redis", Server.Uri, .. MemberOptions(control.Uri, role, index, expect), .. arguments]));

    /// <summary>What makes a process a member.</summary>
    protected static string[] MemberOptions(
        string control, string role, int index, string expect, string? instance = null) =>
    [
        "--run", RunName, "--expect", expect, "--member", $"{index}", "--control", control,
        "--instance", instance ?? $"{role}-{index}".ToLowerInvariant(),
    ];

    /// <summary>Waits until Producers measure: they log intervals while they wait for the start, too.</summary>
    protected static async Task Measure(RedisServerProcess control, params IEnumerable<ServiceProcess> producers)
    {
        const string Script = "return #redis.call('KEYS', ARGV[1])";
        await Eventually.Is("they start", () => Ask(control, "EVAL", Script, "0", $"*{RunName}*:start:1") == "1");
        foreach (var producer in producers)
        {
            var logged = SavedRun.IntervalsLoggedBy(producer);
            await Eventually.Is("it measures", () => SavedRun.IntervalsLoggedBy(producer) > logged + 1);
        }
    }

    /// <summary>Ends them all, each with this code.</summary>
    protected static async Task End(int exitCode, params IEnumerable<ServiceProcess> members)
    {
        foreach (var member in members)
            (await member.End()).ShouldBe(exitCode, member.ToString());
    }

    /// <summary>Ends them all; that a busy machine did not keep the schedule is no fault of theirs.</summary>
    protected static async Task EndMeasured(params IEnumerable<ServiceProcess> members)
    {
        foreach (var member in members)
            (await member.End()).ShouldBeOneOf([0, 4], member.ToString());
    }

    /// <summary>Asks a server something.</summary>
    protected static string Ask(RedisServerProcess server, params string[] words)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        return connection.Execute(words).Text;
    }

    /// <summary>Merges what members have sent, with this exit code: a run of each role.</summary>
    internal async Task<IReadOnlyDictionary<string, SavedRun>> Merge(
        int exitCode, RedisServerProcess control, params string[] arguments)
    {
        var merge = Own(ServiceProcess.Start(
            "Tool", ["report", "merge", "--control", control.Uri, "--run", RunName, .. arguments]));
        (await merge.End()).ShouldBe(exitCode, merge.ToString());
        return SavedRun.FoldersOf(merge).Select(folder => new SavedRun(folder))
            .ToDictionary(run => run.Record.Role);
    }

    /// <summary>That a merged series is the sum of those of its parts, and has values.</summary>
    internal static void ShouldBeTheSum(SavedRun merged, string series, IEnumerable<SavedRun> parts)
    {
        var sum = LatencyHistogram.ForLatency();
        foreach (var part in parts)
            sum.Add(part.Merged(series));
        sum.TotalCount.ShouldBeGreaterThan(0);
        merged.Merged(series).ShouldBe(sum);
    }
}
