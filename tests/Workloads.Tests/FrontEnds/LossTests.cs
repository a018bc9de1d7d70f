using System.Text.Json;
using RedisLatency.Fixtures;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>What was measured until the server was gone is printed in each tool's form, with exit code 5.</summary>
public class LossTests : FrontEndTest
{
    [Fact]
    public async Task Memtier_WhoseServerDies_PrintsAndWritesWhatItMeasured()
    {
        await using var process = await RunAndLoseServer(
            "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "1", "-c", "2", "--test-time", "60", "--hide-histogram",
            "--json-out-file", "die.json");

        process.Output.Lines.ShouldContain("ALL STATS");
        process.Output.Lines.ShouldContain(line => line.StartsWith("Totals ", StringComparison.Ordinal));
        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(process.Folder, "die.json")));
        var all = json.RootElement.GetProperty("ALL STATS");
        all.GetProperty("Totals").GetProperty("Count").GetInt64().ShouldBeGreaterThan(0);
        all.GetProperty("Runtime").GetProperty("Interrupted").GetString().ShouldBe("true");
    }

    [Fact]
    public async Task Memtier_WhoseServerDiesInTheFirstOfSeveralRuns_ShowsThatRun()
    {
        await using var process = await RunAndLoseServer(
            "memtier", "-s", "127.0.0.1", "-p", Port, "-t", "1", "-c", "2", "--test-time", "60", "-x", "3");

        process.Output.Lines.ShouldContain("AGGREGATED AVERAGE RESULTS (1 runs)");
    }

    [Fact]
    public async Task Memtier_OfQuitsOnly_EndsWithATable()
    {
        var process = await Run("memtier -s 127.0.0.1 -p {port} -t 1 -c 2 -n 10 --hide-histogram --command QUIT", 4, 5);

        process.Output.Lines.ShouldContain(line => line.StartsWith("Quits ", StringComparison.Ordinal));
        process.Errors.ToString().ShouldNotContain("internal error");
    }

    [Fact]
    public async Task RedisBenchmark_WhoseServerDies_PrintsTheTestThatItMeasured()
    {
        await using var process = await RunAndLoseServer(
            "redis-benchmark", "-p", Port, "-c", "2", "--duration", "60", "-t", "set");

        process.Output.Lines.ShouldContain("====== SET ======");
        process.Output.Lines.ShouldContain("Summary:");
    }

    // The run would last a minute: however late the first set is seen, the server is lost before its end.
    private async Task<ServiceProcess> RunAndLoseServer(params string[] line)
    {
        var process = ServiceProcess.Start("Workloads", line);
        await Eventually.Is("sets are answered", () => Calls().GetValueOrDefault("set") > 10);
        await Server.Kill();
        (await process.End()).ShouldBe(5, process.ToString());
        return process;
    }
}
