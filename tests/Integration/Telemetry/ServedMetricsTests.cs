using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Telemetry;

/// <summary>What each service serves by <c>--metrics</c> is what its run record says at the end.</summary>
public sealed class ServedMetricsTests : PairTest
{
    private static readonly string[] Served = ["--metrics", "http://127.0.0.1:0"];
    private static readonly string[] Load = ["--rate", "400", "--iterations", "400", "--warmup", "20"];

    private readonly HttpClient _client = new();

    [Fact]
    public async Task Producer_TellsItsCounts_AndThatItWaitsForAConsumer()
    {
        var producer = StartProducer([.. Load, "--floor", .. Served]);
        var address = await AddressOf(producer);
        var waiting = await Ask(address, "/readyz", status => status == HttpStatusCode.ServiceUnavailable);
        await StartConsumer();
        await Ask(address, "/readyz", status => status == HttpStatusCode.OK);
        (await Ask(address, "/healthz", _ => true)).ShouldBe("ok\n");

        // The floor is over while the server is measured.
        const string Sent = "messaging_client_sent_messages_total";
        var page = await WaitFor(address, page => page.Samples(Sent).Values.Count(sent => sent > 0) == 2);
        await producer.End();

        waiting.ShouldStartWith("not measuring: the run is at ");
        var floor = SavedRun.Of(producer).Record.Summaries.Single(summary => summary.Name == "floor");
        Floor(Sent).ShouldBe(floor.Count(Counted.Sent)!.Value);
        foreach (var metric in (Metric[])
        [
            Counted.Asked, Counted.Unsent, Counted.Owed, Counted.Returned, Counted.Lost, Counted.Late,
            Counted.Duplicated, Counted.Foreign,
        ])
        {
            Floor($"redislatency_producer_{metric.Name}_total").ShouldBe(floor.Count(metric)!.Value, metric.Name);
        }

        foreach (var series in floor.Latencies)
        {
            var name = series.Name.Replace('-', '_');
            Floor($"redislatency_producer_{name}_seconds_count").ShouldBe(series.Count.ShouldNotBeNull(), name);
        }

        page.TypeOf("redislatency_producer_rtt_seconds").ShouldBe("histogram");
        page.TypeOf("redislatency_producer_in_flight").ShouldBe("gauge");
        page.Value("redislatency_producer_hiccups_seconds_count").ShouldBeGreaterThan(0);

        double Floor(string name) => page.Value(name, "target=\"floor\"");
    }

    [Fact]
    public async Task Consumer_TellsWhatItServed_AndThatItsServerIsLost()
    {
        var consumer = await StartConsumer(Served);
        var address = await AddressOf(consumer);
        (await Ask(address, "/readyz", status => status == HttpStatusCode.OK)).ShouldBe("ok\n");
        var sent = (await Measure(Load)).Count(Counted.Sent)!.Value;
        var page = await WaitFor(address, page => page.Value("messaging_process_duration_seconds_count") == sent);
        (await Ask(address, "/healthz", _ => true)).ShouldBe("ok\n");

        await Server.Kill();
        (await Ask(address, "/readyz", status => status == HttpStatusCode.ServiceUnavailable))
            .ShouldBe("there is no connection\n");
        (await Ask(address, "/healthz", _ => true)).ShouldBe("ok\n");
        await consumer.EndBy("TERM");

        var counts = SavedRun.Of(consumer).CountsOf("all");
        foreach (var metric in (Metric[])
        [
            Counted.Received, Counted.Echoed, Counted.Lost, Counted.Duplicated, Counted.Reordered, Counted.Foreign,
            Counted.Corrupted,
        ])
        {
            page.Value($"redislatency_consumer_{metric.Name}_total")
                .ShouldBe(counts.Count(metric)!.Value, metric.Name);
        }

        page.Value("redislatency_consumer_received_total").ShouldBe(sent);
        page.Value("messaging_client_consumed_messages_total", "messaging_system=\"redis\"").ShouldBeGreaterThan(sent);
    }

    [Fact]
    public async Task Workloads_TellTheirOperations_PhaseByPhase()
    {
        await using var workloads = ServiceProcess.Start(
            "Workloads",
            ["load", "--redis", Server.Uri, "--records", "1500", "--rate", "500", "--floor", .. Served]);
        var address = await AddressOf(workloads);

        // The floor is over while the server is loaded.
        const string Completed = "redislatency_workload_completed_total";
        var page = await WaitFor(address, page => page.Value(Completed, "phase=\"load\"") > 0);
        (await Ask(address, "/healthz", _ => true)).ShouldBe("ok\n");
        await workloads.End();

        var floor = SavedRun.Of(workloads).Record.Summaries.Single(summary => summary.Name == "floor");
        var operation = floor.Workload!.Operations.ShouldHaveSingleItem();
        foreach (var metric in (Metric[])
            [Counted.Completed, Counted.Sent, Counted.Errors, Counted.TimedOut, Counted.Lost])
        {
            Floor($"redislatency_workload_{metric.Name.Replace('-', '_')}_total")
                .ShouldBe(floor.Count(metric)!.Value, metric.Name);
        }

        Floor("redislatency_workload_throughput").ShouldBe(floor.Rates.Achieved!.Value);
        page.Value(
            "db_client_operation_duration_seconds_count", "phase=\"floor\"", "db_system_name=\"redis\"",
            "db_operation_name=\"SET\"", $"operation=\"{operation.Name}\"")
            .ShouldBe(floor.Count(Counted.Completed, operation.Name)!.Value);

        double Floor(string name) => page.Value(name, "phase=\"floor\"");
    }

    [Theory]
    [InlineData("http://0.0.0.0:0", true)]
    [InlineData("http://127.0.0.1:0", false)]
    public async Task MetricsAtAllAddresses_AreWarnedOf(string address, bool isWarned)
    {
        await using var workloads = ServiceProcess.Start(
            "Workloads", "load", "--redis", Server.Uri, "--records", "100", "--metrics", address);
        await workloads.End();

        var errors = workloads.Errors.ToString();
        errors.ShouldContain("Metrics are at ");
        errors.Contains(
            $"--metrics {address}: anybody who reaches any address of this machine may read them. "
                + "Give one address, for instance 127.0.0.1.",
            StringComparison.Ordinal).ShouldBe(isWarned, errors);
    }

    private static async Task<Uri> AddressOf(ServiceProcess service)
    {
        var line = await service.Errors.WaitFor("Metrics are at ");
        return new Uri(line["Metrics are at ".Length..].TrimEnd('.'));
    }

    private async Task<PrometheusText> WaitFor(Uri address, Func<PrometheusText, bool> isSo)
    {
        using var limit = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        while (true)
        {
            var page = PrometheusText.Parse(await _client.GetStringAsync(address, limit.Token));
            if (isSo(page))
                return page;
            await Task.Delay(TimeSpan.FromMilliseconds(20), limit.Token);
        }
    }

    private async Task<string> Ask(Uri address, string path, Func<HttpStatusCode, bool> isSo)
    {
        using var limit = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        while (true)
        {
            using var response = await _client.GetAsync(new Uri(address, path), limit.Token);
            if (isSo(response.StatusCode))
                return await response.Content.ReadAsStringAsync(limit.Token);
            await Task.Delay(TimeSpan.FromMilliseconds(20), limit.Token);
        }
    }
}
