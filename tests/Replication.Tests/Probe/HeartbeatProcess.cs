using System.Text.Json.Nodes;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Runs <c>delay --continuous</c> as users do, and reads what it says.</summary>
internal static class HeartbeatProcess
{
    private static readonly HttpClient Client = new();

    /// <summary>Starts it; the results are printed as JSON, and metrics are served at a free port.</summary>
    public static ServiceProcess Start(string source, string destination, params string[] arguments) =>
        ServiceProcess.Start(
            "Replication",
            [
                "delay", "--continuous", "--source", source, "--destination", destination, "--format", "json",
                "--metrics", "http://127.0.0.1:0", .. arguments,
            ]);

    /// <summary>Its metrics now.</summary>
    public static async Task<PrometheusText> Metrics(this ServiceProcess process) =>
        PrometheusText.Parse(await Client.GetStringAsync(
            await process.MetricsAddress(), TestContext.Current.CancellationToken));

    /// <summary>Whether it is ready: a status and a word.</summary>
    public static async Task<(int Status, string Text)> Readiness(this ServiceProcess process)
    {
        using var response = await Client.GetAsync(
            new Uri(await process.MetricsAddress(), "/readyz"), TestContext.Current.CancellationToken);
        return ((int)response.StatusCode, await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
    }

    /// <summary>Waits until the metrics are so.</summary>
    public static async Task<PrometheusText> WaitForMetrics(
        this ServiceProcess process, string what, Func<PrometheusText, bool> areSo)
    {
        using var limit = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        while (!limit.IsCancellationRequested)
        {
            var metrics = await process.Metrics();
            if (areSo(metrics))
                return metrics;
            await Task.Delay(TimeSpan.FromMilliseconds(20), TestContext.Current.CancellationToken);
        }

        throw new TimeoutException($"It did not come to this: {what}.\n{process}");
    }

    /// <summary>Heartbeats of an outcome.</summary>
    public static double Beats(this PrometheusText metrics, string outcome) =>
        metrics.Value("redislatency_replication_heartbeats_total", $"outcome=\"{outcome}\"");

    /// <summary>How many delays were recorded, of a series.</summary>
    public static double Delays(this PrometheusText metrics, params string[] labels) =>
        metrics.Value("redislatency_replication_delay_seconds_count", labels);

    /// <summary>The age, in seconds.</summary>
    public static double Age(this PrometheusText metrics) => metrics.Value("redislatency_replication_heartbeat_age_seconds");

    /// <summary>Whether a threshold does not hold.</summary>
    public static bool IsRaised(this PrometheusText metrics, string threshold) =>
        metrics.Value("redislatency_replication_alert", $"threshold=\"{threshold}\"") == 1;

    /// <summary>What only heartbeats have.</summary>
    public static JsonNode Heartbeat(this JsonNode record) => record["summaries"]![0]!["delay"]!["heartbeat"]!;

    /// <summary>That every heartbeat is in one of the counts.</summary>
    public static void ShouldAccountForAllHeartbeats(this JsonNode summary) =>
        new[] { "unsent", "refused", "read", "unread", "skipped" }.Sum(summary.CountOf)
            .ShouldBe(summary.CountOf("asked"));

    /// <summary>The lines of its log of windows that are of a kind.</summary>
    public static IReadOnlyList<JsonNode> Log(this ServiceProcess process, string kind) =>
    [
        .. File.ReadLines(Directory.GetFiles(process.Folder, "heartbeat.ndjson", SearchOption.AllDirectories).Single())
            .Select(line => JsonNode.Parse(line)!).Where(line => line["kind"]!.GetValue<string>() == kind),
    ];
}
