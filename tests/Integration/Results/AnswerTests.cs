using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Results;

/// <summary>What a run prints by default: the answer first, and all of it on one screen.</summary>
public sealed partial class AnswerTests
{
    private const int Screen = 45;
    private const int Page = 80;
    private const int HistogramHeight = 12;

    private static readonly string[] NotMetrics =
        ["role", "verdict", "to", "partial", "target", "consumer", "thresholds", "phases", "served", "grade", "b.grade", "a.grade", "exit"];

    private static readonly Dictionary<string, string> Defaults = new()
    {
        ["REDISLATENCY__Output__Details"] = "false",
        ["REDISLATENCY__Show__Details"] = "false",
    };

    [Theory]
    [InlineData("Producer", "--duration 1s --rate 1000",
        @"p50 ~?[\d.]+ .s, p99 .+ round trip from intended; 1,000 of 1,000 returned")]
    [InlineData("Producer", "--rate 0 -n 200 --payload counter --warmup 10",
        @"p50 ~?[\d.]+ .s, p99 not known \(few\) round trip; 200 of 200 returned")]
    [InlineData("Workloads", "--records 500 --operations 2000 --warmup 0s",
        @"run: [\d,]+/s, p50 ~?[\d.]+ .s, p99 .+; 2,000 of 2,000 operations")]
    // By number: of a stretch of time a pause of the machine at its end leaves the last one unsent.
    [InlineData("Workloads", "run --records 500 --rate 1000 --operations 1000 --warmup 0s",
        @"run: [\d,.]+/s, p50 ~?[\d.]+ .s, p99 .+ from intended; 1,000 of 1,000 operations")]
    [InlineData("Replication", "delay --duration 1s --rate 200",
        @"127.0.0.1:\d+ is ~?[\d.]+ ms (to [\d.]+ ms )?behind, .*200 of 200 keys")]
    public async Task Answer_OfARun_IsOneScreen(string service, string line, string answer)
    {
        await using var process = ServiceProcess.Start(service, Defaults, [.. line.Split(' '), "--live", "none"]);

        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());

        var lines = process.Output.Lines;
        IsVerdict(lines[0]).ShouldBeTrue(process.ToString());
        lines.Count.ShouldBeInRange(5, Screen, process.ToString());
        lines.SkipLast(1).Where(text => !IsToPaste(text)).ShouldAllBe(text => text.Length <= Page);
        string.Join(' ', lines.Take(3).Select(text => text.Trim())).ShouldMatch($"^[A-Z]+( to p[0-9.]+| VALID)?  {answer}");
        lines[^1].ShouldStartWith("RESULT ");
        lines.ShouldContain(text => text.Contains(" over time  ", StringComparison.Ordinal), process.ToString());
        // Left out only where there is no room for it.
        var rows = lines.Select(text => HistogramRow().Match(text)).Where(row => row.Success).ToList();
        if (rows.Count == 0 && lines.Count > Screen - HistogramHeight)
            return;
        rows.Count.ShouldBe(HistogramHeight - 1, process.ToString());
        rows.Sum(row => long.Parse(row.Groups["count"].Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture))
            .ShouldBe(SavedRun.Of(process).Record.Summaries[^1].Latencies[0].Count.ShouldNotBeNull());
    }

    [Theory]
    [InlineData("Producer", "--redis SERVER --floor --warmup 100 --duration 1s --rate 1000", "b.rtt-intended.p50")]
    [InlineData("Workloads", "--redis SERVER --floor --records 500 --operations 2000 --warmup 0s", "2.service.p50")]
    [InlineData("Replication", "delay --keys 200 --rate 200", "delay.count")]
    public async Task Metrics_AreFlat_AndTheResultLineHasTheSame(string service, string line, string name)
    {
        await using var server = await RedisServerProcess.Start();
        await using var consumer = ServiceProcess.Start("Consumer", "--redis", server.Uri);
        await using var process = ServiceProcess.Start(
            service, Defaults, [.. line.Replace("SERVER", server.Uri, StringComparison.Ordinal).Split(' ')]);

        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());

        using var json = JsonDocument.Parse(File.ReadAllText(
            Directory.GetFiles(process.Folder, "run.json", SearchOption.AllDirectories).ShouldHaveSingleItem()));
        var metrics = json.RootElement.GetProperty("metrics");
        metrics.GetProperty(name).GetDouble().ShouldBeGreaterThan(0);
        metrics.GetProperty("hiccups.count").GetDouble().ShouldBeGreaterThan(0);
        var words = process.Output.Lines[^1].Split(' ').Select(word => word.Split('='))
            .Where(word => word.Length == 2 && !NotMetrics.Contains(word[0]) && !word[1].Contains(".."));
        foreach (var word in words)
        {
            metrics.GetProperty(word[0]).GetDouble()
                .ShouldBe(double.Parse(word[1], CultureInfo.InvariantCulture), 0.001, word[0]);
        }
    }

    [Fact]
    public async Task Answer_WithTheFloor_HasIt()
    {
        await using var server = await RedisServerProcess.Start();
        await using var process = ServiceProcess.Start(
            "Workloads", Defaults, "--redis", server.Uri, "--records", "200", "--operations", "1000", "--warmup", "0s",
            "--floor", "--live", "none");

        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());

        process.Output.Lines.ShouldContain("FLOOR");
        process.Output.Lines.Count.ShouldBeLessThanOrEqualTo(Screen, process.ToString());
    }

    [Fact]
    public async Task Answer_WithoutEchoes_HasWhatTheConsumerMeasured()
    {
        await using var server = await RedisServerProcess.Start();
        await using var consumer = ServiceProcess.Start("Consumer", "--redis", server.Uri);
        await using var process = ServiceProcess.Start(
            "Producer", Defaults, "--redis", server.Uri, "--echo", "off", "--duration", "1s", "--rate", "500");

        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());

        var text = string.Join(' ', process.Output.Lines.Select(line => line.Trim()));
        text.ShouldContain("500 of 500 sent");
        text.ShouldContain("the consumer's own forward series: n 500, mean ");
        text.ShouldNotContain("not known");
    }

    [Fact]
    public async Task Answer_OfAConsumer_HasItsPercentiles_AndNoZeros()
    {
        await using var server = await RedisServerProcess.Start();
        await using var consumer = ServiceProcess.Start(
            "Consumer", Defaults, "--redis", server.Uri, "--live", "none");
        await using var producer = ServiceProcess.Start(
            "Producer", "--redis", server.Uri, "--consumer", "required", "--duration", "2s", "--rate", "1000",
            "--warmup", "100");
        (await producer.End()).ShouldBeOneOf([0, 4], producer.ToString());

        (await consumer.EndBy("TERM")).ShouldBe(143, consumer.ToString());

        var lines = consumer.Output.Lines;
        lines.Count.ShouldBeLessThanOrEqualTo(Screen, consumer.ToString());
        lines[0].ShouldMatch("^[A-Z]+( to p[0-9.]+| VALID)?  echoed 2,1[0-9]{2} messages of 1 producer in 0:");
        lines.ShouldContain(line => line.StartsWith("  residence         p50 "), consumer.ToString());
        lines.ShouldContain(line => line.StartsWith("  forward           p50 ") && line.Contains(" ±"));
        lines.ShouldContain(line => line.Contains(" over time  "), consumer.ToString());
        lines.ShouldNotContain(line => line.Contains("foreign 0") || line.Contains("connections lost"));
    }

    [Fact]
    public async Task Show_OfARun_PrintsTheSameScreen_AndEverythingOnlyWhenAsked()
    {
        await using var process = ServiceProcess.Start(
            "Producer", Defaults, "--duration", "1s", "--rate", "500", "--live", "none");
        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());
        var folder = Directory.GetDirectories(Path.Combine(process.Folder, "results")).ShouldHaveSingleItem();

        await using var shown = ServiceProcess.Start("Producer", Defaults, "show", folder);
        await using var whole = ServiceProcess.Start("Producer", Defaults, "show", folder, "--details");
        (await shown.End()).ShouldBe(0, shown.ToString());
        (await whole.End()).ShouldBe(0, whole.ToString());

        var printed = process.Output.Lines;
        // But for the folder, whose name is another from elsewhere.
        var isSame = shown.Output.Lines.Where(text => !text.Contains("results", StringComparison.Ordinal));
        isSame.Take(8).ShouldBe(printed.Where(text => !text.Contains("results", StringComparison.Ordinal)).Take(8));
        whole.Output.Lines.ShouldContain("RUN");
        whole.Output.Lines.Count.ShouldBeGreaterThan(shown.Output.Lines.Count + 10);
    }

    [Fact]
    public async Task Answer_WhereNothingReturned_DoesNotLookLikeOne()
    {
        await using var server = await RedisServerProcess.Start();
        await using var consumer = ServiceProcess.Start("Consumer", "--redis", server.Uri);
        await using var process = ServiceProcess.Start(
            "Producer", Defaults, "--redis", server.Uri, "--consumer", "required", "--rate", "200", "--duration", "10s",
            "--reconnect-timeout", "1s", "--threshold", "rtt.p99<1h");
        await process.Errors.WaitFor(" measure ");
        await server.Kill();

        (await process.End()).ShouldBe(5, process.ToString());

        var lines = process.Output.Lines;
        lines[0].ShouldStartWith("NOT VALID  p50 not known (missing), p99 not known (missing) round trip");
        lines.Count.ShouldBeLessThanOrEqualTo(Screen, process.ToString());
        string.Join('\n', lines).ShouldContain("? rtt.p99");
    }

    private static bool IsToPaste(string line) => line.StartsWith("  results: ", StringComparison.Ordinal);

    private static bool IsVerdict(string line) =>
        line.StartsWith("VALID ", false, CultureInfo.InvariantCulture)
        || line.StartsWith("DOUBTFUL  ", false, CultureInfo.InvariantCulture)
        || line.StartsWith("NOT VALID  ", false, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^ +[\d.,]+ (µs|ms|s) +(?<count>[\d,]+)( ■+)?$")]
    private static partial Regex HistogramRow();
}
