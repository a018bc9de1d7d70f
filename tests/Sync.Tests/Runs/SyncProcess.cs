using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>Runs a synchronisation as users do.</summary>
internal static class SyncProcess
{
    public static ServiceProcess Start(string verb, string source, string destination, params string[] arguments) =>
        ServiceProcess.Start("Sync", Line(verb, source, destination, arguments));

    /// <summary>Starts one for which it is another time, as faketime says it: <c>+120s</c>.</summary>
    public static ServiceProcess StartWithClock(
        string ahead, string verb, string source, string destination, params string[] arguments) =>
        ServiceProcess.Start(
            "Sync",
            // As faketime itself sets them, which would not pass on a signal.
            new Dictionary<string, string>
            {
                ["LD_PRELOAD"] = "/usr/$LIB/faketime/libfaketime.so.1",
                ["FAKETIME"] = ahead,
                ["FAKETIME_DONT_FAKE_MONOTONIC"] = "1",
            },
            Line(verb, source, destination, arguments));

    public static ServiceProcess StartFile(
        string verb, string file, string destination, params string[] arguments) => ServiceProcess.Start(
            "Sync",
            [verb, file, "--destination", destination, "--format", "json", "--live", "none", .. arguments]);

    /// <summary>Runs it to its end.</summary>
    public static async Task<JsonNode> Run(
        string verb, string source, string destination, int exitCode = 0, params string[] arguments)
    {
        await using var process = Start(verb, source, destination, arguments);
        var (code, record) = await process.End().End(process);
        code.ShouldBe(exitCode, process.ToString());
        return record;
    }

    /// <summary>Runs one that is refused before it writes anything, and returns what it said.</summary>
    public static async Task<string> Refusal(
        string verb, string source, string destination, int exitCode, params string[] arguments)
    {
        await using var process = Start(verb, source, destination, arguments);
        (await process.End()).ShouldBe(exitCode, process.ToString());
        return process.Errors.ToString();
    }

    /// <summary>Looks until something is so, and fails with the process if that ends first.</summary>
    public static async Task Until(this ServiceProcess process, string what, Func<bool> look)
    {
        try
        {
            await Eventually.Is(what, () => process.HasExited || look());
        }
        catch (TimeoutException hang)
        {
            throw new TimeoutException($"{hang.Message}\n{process}", hang);
        }

        process.HasExited.ShouldBeFalse(process.ToString());
    }

    public static JsonNode Sync(this JsonNode record) => record["summaries"]![0]!["sync"]!;

    public static long Synced(this JsonNode record, string name) => record["metrics"]![name]!.GetValue<long>();

    public static RedisConnection Open(string uri) =>
        RedisConnection.Open(RedisEndpoint.Parse(uri), Patience.Connection);

    private static string[] Line(string verb, string source, string destination, string[] arguments) =>
        [verb, "--source", source, "--destination", destination, "--format", "json", "--live", "none", .. arguments];
}
