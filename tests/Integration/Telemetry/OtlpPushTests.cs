using System.Net;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Telemetry;

/// <summary>What services push by OTLP is what their run record says at the end, and costs them nothing.</summary>
public sealed class OtlpPushTests : PairTest
{
    private const string Secret = "canary-7d1f";
    private static readonly string[] Load = ["--rate", "400", "--iterations", "400", "--warmup", "20"];

    private readonly OtlpCollector _collector = new();

    [Fact]
    public async Task Producer_PushesWhatItsRecordSays()
    {
        await StartConsumer();
        await using var producer = ServiceProcess.Start(
            "Producer",
            new Dictionary<string, string> { ["OTEL_EXPORTER_OTLP_HEADERS"] = $"api-key={Secret}" },
            ["--redis", Server.Uri, .. Load, "--region", "here", "--otlp", _collector.Address]);
        var code = await producer.End();

        var (pushed, run) = (_collector.Pushes[^1], SavedRun.Of(producer));
        run.ShouldBeValidUnlessLate(code, producer);
        var record = run.Record;
        pushed.Path.ShouldBe("/v1/metrics");
        pushed.Headers["api-key"].ShouldBe(Secret);
        File.ReadAllText(Path.Combine(SavedRun.Of(producer).Folder, "run.json")).ShouldNotContain(Secret);
        producer.ToString().ShouldNotContain(Secret);
        pushed.Resource["service.name"].ShouldBe("redis-latency-producer");
        pushed.Resource["service.version"].ShouldBe(record.SuiteVersion);
        pushed.Resource["service.instance.id"].ShouldBe(record.Instance);
        pushed.Resource["redislatency.run"].ShouldBe(record.Run);
        pushed.Resource["redislatency.role"].ShouldBe(record.Role);
        pushed.Resource["redislatency.region"].ShouldBe("here");

        var summary = record.Summaries.ShouldHaveSingleItem();
        foreach (var metric in (Metric[])
            [Counted.Asked, Counted.Unsent, Counted.Returned, Counted.Lost, Counted.Late, Counted.Duplicated])
        {
            var sum = pushed.Point($"redislatency.producer.{metric.Name}");
            (sum.Kind, sum.Value).ShouldBe(("sum", summary.Count(metric)!.Value), metric.Name);
        }

        foreach (var series in summary.Latencies)
            ShouldBeAs(series, pushed.Point($"redislatency.producer.{series.Name.Replace('-', '_')}"));
    }

    [Fact]
    public async Task Load_PushesWhereTheVariableSays_UnderTheNamesOfOpenTelemetry()
    {
        await using var load = ServiceProcess.Start(
            "Workloads",
            new Dictionary<string, string> { ["OTEL_EXPORTER_OTLP_ENDPOINT"] = _collector.Address },
            ["load", "--redis", Server.Uri, "--records", "2000"]);
        (await load.End()).ShouldBe(0, load.ToString());

        var summary = SavedRun.Of(load).Record.Summaries.ShouldHaveSingleItem();
        var pushed = _collector.Pushes[^1];
        pushed.Point("redislatency.workload.completed").Value.ShouldBe(2000);
        var durations = pushed.Point(
            "db.client.operation.duration", ("db.system.name", "redis"), ("db.operation.name", "SET"));
        durations.Unit.ShouldBe("s");
        durations.Value.ShouldBe(summary.Count(Counted.Completed)!.Value);
    }

    [Fact]
    public async Task Consumer_PushesWhenItIsStopped()
    {
        var consumer = await StartConsumer("--otlp", _collector.Address);
        var sent = (await Measure(Load)).Count(Counted.Sent)!.Value;
        await consumer.EndBy("TERM");

        _collector.Pushes[^1].Point("redislatency.consumer.received").Value.ShouldBe(sent);
        _collector.Pushes[^1].Point("messaging.process.duration").Value.ShouldBe(sent);
    }

    /// <summary>One refuses, at the other nobody listens, and the third takes and says nothing.</summary>
    [Theory]
    [InlineData("refuses", "it answered 401 (Unauthorized)")]
    [InlineData("is not there", "refused")]
    [InlineData("is silent", "it did not answer in time")]
    public async Task CollectorThatDoesNotTakeThem_IsReportedOnce_AndCostsNothing(string how, string reason)
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        _collector.Status = HttpStatusCode.Unauthorized;
        var address = how switch
        {
            "refuses" => _collector.Address,
            "is silent" => $"http://{silent.LocalEndpoint}",
            _ => $"http://127.0.0.1:{FreePort.Next()}",
        };
        await using var load = ServiceProcess.Start(
            "Workloads",
            new Dictionary<string, string>
            {
                ["OTEL_METRIC_EXPORT_INTERVAL"] = "1000",
                ["OTEL_EXPORTER_OTLP_TIMEOUT"] = "1000",
            },
            ["load", "--redis", Server.Uri, "--records", "2000", "--rate", "500", "--otlp", address]);
        var code = await load.End();

        SavedRun.Of(load).ShouldBeValidUnlessLate(code, load);
        var said = load.Errors.ToString().Split('\n')
            .Where(line => line.Contains("does not take metrics", StringComparison.Ordinal)).ShouldHaveSingleItem();
        said.ShouldContain(reason);
        SavedRun.Of(load).Record.Summaries.ShouldHaveSingleItem().Count(Counted.Completed).ShouldBe(2000);
    }

    [Theory]
    [InlineData("--otlp", "ftp://127.0.0.1:4318")]
    [InlineData("--otlp", "http://user:word@127.0.0.1:4318")]
    [InlineData("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "nowhere")]
    [InlineData("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")]
    public async Task AddressOrVariable_ThatIsWrong_EndsWith2(string name, string value)
    {
        string[] more = name == "--otlp" ? [name, value] : ["--otlp", _collector.Address];
        await using var load = ServiceProcess.Start(
            "Workloads",
            new Dictionary<string, string> { [name == "--otlp" ? "UNUSED" : name] = value },
            ["load", "--redis", Server.Uri, "--records", "10", .. more]);

        (await load.End()).ShouldBe(2, load.ToString());
        load.Errors.ToString().ShouldContain(name);
        load.Errors.ToString().ShouldNotContain("word");
    }

    private static void ShouldBeAs(LatencySeries series, OtlpPoint point)
    {
        (point.Kind, point.Unit).ShouldBe(("exponential", "s"), series.Name);
        point.Value.ShouldBe(series.Count!.Value, series.Name);
        (point.ZeroCount + point.Buckets.Sum()).ShouldBe(series.Count!.Value, series.Name);
        foreach (var row in series.Percentiles.Where(row => row.Percentile is 50 or 99 && row.Value is > 0))
        {
            // The record has the highest of the values that count as one, here is their middle.
            var (lower, upper) = point.BucketOf(row.Percentile);
            (row.Value!.Value / 1e9).ShouldBeInRange(lower * 0.999, upper * 1.001, $"{series.Name} p{row.Percentile}");
        }
    }

    public override async ValueTask DisposeAsync()
    {
        await _collector.DisposeAsync();
        await base.DisposeAsync();
    }
}
