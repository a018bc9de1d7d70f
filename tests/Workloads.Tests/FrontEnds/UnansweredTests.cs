using System.Globalization;
using System.Text.Json;
using RedisLatency.Fixtures;
using RedisLatency.Server;

namespace RedisLatency.Workloads.Tests.FrontEnds;

/// <summary>
/// One request of many is never answered: it is given up, the rest goes on, and no format prints a latency that it
/// could change as if it were known.
/// </summary>
public sealed class UnansweredTests : IDisposable
{
    private const double GivenUpMs = 5_000;

    private readonly InProcessServer _server = InProcessServer.Start();

    public UnansweredTests() => _server.Faults.DropReply(50, "get");

    private string Port => _server.Endpoint.Split(':')[^1];

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task RedisBenchmarkCsv_HasWhatItIsAtLeast()
    {
        await using var process = await Run("redis-benchmark", "-p", Port, "-t", "get", "-n", "1000", "-c", "4", "--csv");

        var numbers = process.Output.Lines[^1].Split(',').Skip(1).Select(Number).ToList();
        var (mean, median, most) = (numbers[1], numbers[3], numbers[6]);
        most.ShouldBeGreaterThanOrEqualTo(GivenUpMs);
        mean.ShouldBeGreaterThanOrEqualTo(GivenUpMs / 1000);
        median.ShouldBeLessThan(GivenUpMs);
        ShouldTell(process, "1 of 1,000");
    }

    // Its only connection goes on with another one.
    [Fact]
    public async Task RedisBenchmarkText_HasWhatItIsAtLeast()
    {
        await using var process = await Run("redis-benchmark", "-p", Port, "-t", "get", "-n", "1000", "-c", "1");

        var lines = process.Output.Lines;
        lines.ShouldContain(line => line.StartsWith("  999 requests completed in", StringComparison.Ordinal));
        lines.ShouldContain(line => line.EndsWith("(cumulative count 1000)", StringComparison.Ordinal));
        var summary = lines[lines.ToList().FindIndex(line => line.TrimEnd().EndsWith(" max", StringComparison.Ordinal)) + 1];
        Number(summary.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^1]).ShouldBeGreaterThanOrEqualTo(GivenUpMs);
        ShouldTell(process, "1 of 1,000");
    }

    [Fact]
    public async Task Memtier_EndsThoughAReplyNeverCame_AndLeavesOutWhatIsNotKnown()
    {
        await using var process = await Run(
            "memtier", "-p", Port, "-s", "127.0.0.1", "-t", "1", "-c", "2", "-n", "500", "--ratio", "0:1",
            "--json-out-file", "all.json", "--print-percentiles", "50,99.99");

        var totals = process.Output.Lines.Single(line => line.StartsWith("Totals ", StringComparison.Ordinal))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var (mean, median, tail) = (totals[^4], totals[^3], totals[^2]);
        mean.ShouldBe("---");
        Number(median).ShouldBeLessThan(GivenUpMs);
        tail.ShouldBe("---");
        using var json = JsonDocument.Parse(File.ReadAllText(Path.Combine(process.Folder, "all.json")));
        var all = json.RootElement.GetProperty("ALL STATS").GetProperty("Totals");
        all.GetProperty("Count").GetInt64().ShouldBe(999);
        foreach (var unknown in new[] { "Latency", "Average Latency", "Accumulated Latency", "Max Latency" })
            all.GetProperty(unknown).ValueKind.ShouldBe(JsonValueKind.Null, unknown);
        var percentiles = all.GetProperty("Percentile Latencies");
        percentiles.GetProperty("p50.00").GetDouble().ShouldBeLessThan(GivenUpMs);
        percentiles.GetProperty("p99.99").ValueKind.ShouldBe(JsonValueKind.Null);
        var last = json.RootElement.GetProperty("ALL STATS").GetProperty("GET").EnumerateArray().Last();
        last.GetProperty("<=msec").GetDouble().ShouldBeGreaterThanOrEqualTo(GivenUpMs);
        ShouldTell(process, "1 of 1,000");
    }

    [Fact]
    public async Task Ycsb_HasNoLineForWhatIsNotKnown()
    {
        await using var process = await Run(
            "ycsb", "run", "redis", "-p", "redis.host=127.0.0.1", "-p", $"redis.port={Port}", "-p", "recordcount=10",
            "-p", "operationcount=1000", "-p", "redis.command_group=string", "-p", "readproportion=1", "-p",
            "updateproportion=0", "-p", "redis.timeout=300", "-p", "hdrhistogram.percentiles=50,99.99");

        var names = process.Output.Lines.Where(line => line.StartsWith("[READ], ", StringComparison.Ordinal))
            .Select(line => line.Split(", ")[1]).ToList();
        names.ShouldContain("MinLatency(us)");
        names.ShouldContain("50thPercentileLatency(us)");
        names.ShouldNotContain("AverageLatency(us)");
        names.ShouldNotContain("MaxLatency(us)");
        names.ShouldNotContain("99.99PercentileLatency(us)");
        process.Output.Lines.ShouldContain("[READ], Operations, 999");
        ShouldTell(process, "1 of 1,000");
    }

    private static void ShouldTell(ServiceProcess process, string share) => process.Errors.Lines.ShouldContain(
        line => line.StartsWith("NOTE: ", StringComparison.Ordinal)
            && line.Contains($"{share} requests have no latency (1 had no reply in time)", StringComparison.Ordinal),
        process.ToString());

    private static async Task<ServiceProcess> Run(params string[] line)
    {
        var process = ServiceProcess.Start("Workloads", line);
        (await process.End()).ShouldBe(0, process.ToString());
        return process;
    }

    private static double Number(string text) => double.Parse(text.Trim('"'), CultureInfo.InvariantCulture);
}
