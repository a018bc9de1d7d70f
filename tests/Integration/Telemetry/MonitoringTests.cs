using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;

namespace RedisLatency.Integration.Telemetry;

/// <summary>
/// Alert rules and board of <c>deploy/monitoring</c> ask for what services serve, as a Prometheus has it.
/// </summary>
public sealed partial class MonitoringTests : PairTest
{
    private static readonly string Folder = RepositoryRoot.Combine("deploy", "monitoring");
    private static readonly string[] Served = ["--metrics", "http://127.0.0.1:0"];

    private readonly HttpClient _client = new();

    [Theory]
    [InlineData("check", "rules", "alerts.yaml")]
    [InlineData("check", "config", "prometheus.yaml")]
    [InlineData("check", "config", "prometheus.compose.yaml")]
    [InlineData("test", "rules", "alerts.test.yaml")]
    public async Task Rules_AreUnderstood_AndFireWhenTheyShould(params string[] arguments)
    {
        using var tool = Process.Start(new ProcessStartInfo(ServerRequirement.Require("promtool"), arguments)
        {
            WorkingDirectory = Folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var said = await Task.WhenAll(
            tool.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken),
            tool.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken));
        await tool.WaitForExitAsync(TestContext.Current.CancellationToken);

        tool.ExitCode.ShouldBe(0, string.Concat(said));
    }

    [Fact]
    public async Task Queries_OfBoardAndRules_FindWhatServicesServe()
    {
        var program = ServerRequirement.Require("prometheus");
        List<ServiceProcess> services = [await StartConsumer(Served), .. await StartOthers()];
        var addresses = new List<Uri>();
        foreach (var service in services)
            addresses.Add(await service.MetricsAddress());
        using var prometheus = Start(program, addresses, out var address);
        try
        {
            foreach (var query in QueriesOfBoard().Concat(MetricsOfRules()))
                await Eventually.Is($"{query} finds something", () => Count(address, query) > 0);
            Count(address, "redislatency_producer_no_such_thing_total").ShouldBe(0);
        }
        finally
        {
            prometheus.Kill();
            await prometheus.WaitForExitAsync(TestContext.Current.CancellationToken);
        }
    }

    public override ValueTask DisposeAsync()
    {
        _client.Dispose();
        return base.DisposeAsync();
    }

    // As Grafana asks, which knows how often is scraped.
    private static IEnumerable<string> QueriesOfBoard() =>
        from panel in JsonNode.Parse(File.ReadAllText(Path.Combine(Folder, "board.json")))!["panels"]!.AsArray()
        from target in panel!["targets"]!.AsArray()
        select ((string)target!["expr"]!).Replace("$__rate_interval", "10s", StringComparison.Ordinal);

    // A rule that finds nothing is well: what it asks for must be there.
    private static IEnumerable<string> MetricsOfRules() =>
        from Match match in MetricName().Matches(File.ReadAllText(Path.Combine(Folder, "alerts.yaml")))
        group match by match.Value into same
        select same.Key;

    private async Task<IEnumerable<ServiceProcess>> StartOthers()
    {
        var replica = Own(await RedisServerProcess.Start(
            "redis-server", "--replicaof", "127.0.0.1", Server.Port.ToString(CultureInfo.InvariantCulture)));
        var target = await StartServer();
        Own(Start("Replication", "delay", "write", "--continuous", "--source", Server.Uri));
        return
        [
            StartProducer(["--rate", "200", "--duration", "10m", .. Served]),
            Own(Start("Workloads", [
                "--redis", Server.Uri, "--records", "100", "--rate", "200", "--duration", "10m", .. Served])),
            Own(Start("Replication", [
                "delay", "read", "--continuous", "--destination", replica.Uri, "--control", Server.Uri,
                "--threshold", "age<5s", .. Served])),
            Own(Start("Sync", ["sync", "--source", Server.Uri, "--destination", target.Uri, .. Served])),
        ];
    }

    private Process Start(string program, IEnumerable<Uri> services, out Uri address)
    {
        var targets = string.Join(", ", services.Select(service => $"\"{service.Authority}\""));
        var file = Path.Combine(Server.Folder, "prometheus.yaml");
        File.WriteAllText(file, $$"""
            global: { scrape_interval: 1s }
            scrape_configs: [ { job_name: redis-latency, static_configs: [ { targets: [{{targets}}] } ] } ]
            """);
        var authority = $"127.0.0.1:{FreePort.Next().ToString(CultureInfo.InvariantCulture)}";
        address = new Uri($"http://{authority}");
        return Process.Start(new ProcessStartInfo(program, [
            $"--config.file={file}", $"--storage.tsdb.path={Server.Folder}/prometheus", $"--web.listen-address={authority}",
            "--log.level=error"])
        { RedirectStandardError = false })!;
    }

    private int Count(Uri prometheus, string query)
    {
        try
        {
            var reply = _client.GetStringAsync(new Uri(
                prometheus, $"/api/v1/query?query={Uri.EscapeDataString(query)}")).GetAwaiter().GetResult();
            return JsonNode.Parse(reply)!["data"]!["result"]!.AsArray().Count;
        }
        catch (HttpRequestException notYet) when (notYet.StatusCode is null
            or System.Net.HttpStatusCode.ServiceUnavailable)
        {
            return 0;
        }
    }

    [GeneratedRegex(@"\b(?:redislatency|messaging|db)_[a-z_]+|\bup\b(?=\{)")]
    private static partial Regex MetricName();
}
