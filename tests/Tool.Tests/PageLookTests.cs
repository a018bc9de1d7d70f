using System.Globalization;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary>Pages of real runs, opened in the system's Chromium where there is one.</summary>
public sealed class PageLookTests(PageLookTests.OneBrowser one) : IClassFixture<PageLookTests.OneBrowser>, IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("look").FullName;
    private readonly ChromiumBrowser _browser = one.Browser;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Pages_OfAProducerWithAConsumer_AndOfRegions_LookRight()
    {
        await using var server = await RedisServerProcess.Start();
        var regions = new[] { "north", "south", "a-region-whose-name-is-long-enough-to-be-broken-into-lines" };
        var consumers = regions.Select(region => ServiceProcess.Start(
            "Tool", "consumer", "--redis", server.Uri, "--region", region, "--run", region,
            "--channel", region, "--reply-channel", $"{region}-back")).ToList();
        string[] runs;
        try
        {
            foreach (var consumer in consumers)
                await consumer.Errors.WaitFor("Serving ");
            runs = await Task.WhenAll(regions.SelectMany(from => regions.Where(to => to != from).Select(to => Measure(
                "producer", "--redis", server.Uri, "--region", from, "--channel", to, "--reply-channel", $"{to}-back",
                "--rate", "200", "--duration", "2s", "--warmup", "500ms"))));
        }
        finally
        {
            foreach (var consumer in consumers)
                await consumer.DisposeAsync();
        }

        var page = await PageOf(runs);
        await PageLook.ShouldLookRight(_browser, page);

        var text = await File.ReadAllTextAsync(page, Cancellation);
        text.ShouldContain("One way between regions");
        text.ShouldContain("href=\"#run6\"");
        await PageLook.ShouldLookRight(_browser, await PageOf(runs[0]));
    }

    [Fact]
    public async Task Page_OfASweepOfRates_LooksRight()
    {
        var scenario = Path.Combine(_root, "sweep.json");
        await File.WriteAllTextAsync(scenario, """
            { "name": "rates", "options": { "records": "100", "mix": "get=9,set=1" },
              "phases": [ { "name": "load", "verb": "load" },
                { "name": "open", "options": { "duration": "1s" }, "sweep": { "rate": ["200", "400", "800"] } } ] }
            """, Cancellation);

        var page = await PageOf(await Measure("load", "scenario", scenario));
        await PageLook.ShouldLookRight(_browser, page);

        var text = await File.ReadAllTextAsync(page, Cancellation);
        text.ShouldContain("Latency against throughput");
        text.ShouldContain("<caption>Phases</caption>");
        text.ShouldContain("<th scope=\"row\">3. open, rate 400</th><td>400/s</td>");
    }

    [Fact]
    public async Task Page_OfHostileNames_LooksRight()
    {
        var run = await Measure("producer", "--rate", "500", "--duration", "1s", "--warmup", "100ms");
        var file = Path.Combine(run, "run.json");
        var record = JsonNode.Parse(await File.ReadAllTextAsync(file, Cancellation))!;
        var name = "<script>document.title='taken'</script>" + new string('x', 10_000);
        record["run"] = name;
        record["partialReason"] = name;
        record["summaries"]![0]!["name"] = name;
        record["summaries"]![0]!["latencies"]![0]!["name"] = name;
        record["targets"]![0]!["endpoint"] = name;
        record["options"]![0]!["value"] = name;
        record["events"] = new JsonArray(new JsonObject
        {
            ["atUtc"] = record["phases"]![0]!["startUtc"]!.DeepClone(),
            ["atNs"] = record["phases"]!.AsArray()[^1]!["startNs"]!.DeepClone(),
            ["kind"] = "</title>",
            ["text"] = name,
        });
        await File.WriteAllTextAsync(file, record.ToJsonString(), Cancellation);

        await PageLook.ShouldLookRight(_browser, await PageOf(run));
    }

    [Fact]
    public async Task Pages_OfRunsOfNearlyNothing_LookRight()
    {
        await using var server = await RedisServerProcess.Start();
        List<string> runs =
        [
            .. await Task.WhenAll(
                Measure("consumer", "--redis", server.Uri, "--duration", "1s"),
                Measure("producer", "--duration", "1s", "-n", "1", "--warmup", "0"),
                Measure("load", "run", "--records", "10", "--duration", "1s", "--command", "INCR"),
                Interrupted(server)),
        ];
        var killed = Directory.CreateDirectory(Path.Combine(_root, "killed")).FullName;
        await File.WriteAllTextAsync(Path.Combine(killed, "latency.hlog.partial"), string.Empty, Cancellation);
        runs.Add(killed);

        foreach (var run in runs)
            await PageLook.ShouldLookRight(_browser, await PageOf(run));

        var errors = await File.ReadAllTextAsync(await PageOf(runs[2]), Cancellation);
        errors.ShouldContain("<th scope=\"row\">errors</th>");
        (await File.ReadAllTextAsync(await PageOf(runs[3]), Cancellation)).ShouldContain(", PARTIAL (stopped by a signal)");
        (await File.ReadAllTextAsync(await PageOf(killed), Cancellation)).ShouldContain("holds no interval");
    }

    // Of every role, of two servers, of a schedule, and of a part of a run.
    [Theory]
    [InlineData("consumer")]
    [InlineData("delay")]
    [InlineData("heartbeat")]
    [InlineData("load/host-a")]
    [InlineData("load-rate")]
    [InlineData("producer")]
    [InlineData("scan")]
    [InlineData("two")]
    public async Task Page_OfARecordedRun_LooksRight(string run) =>
        await PageLook.ShouldLookRight(_browser, await PageOf(Recorded(run)));

    [Fact]
    public async Task Page_OfAComparison_LooksRight()
    {
        var file = Path.Combine(_root, "compared.html");
        await using var report = ServiceProcess.Start(
            "Tool", "report", "compare", Recorded("before"), Recorded("after"), "--html", file);
        (await report.End()).ShouldBe(0, report.ToString());

        await PageLook.ShouldLookRight(_browser, file);
    }

    [Fact]
    public async Task Chart_ShowsValuesUnderThePointer_AndLooksCloser()
    {
        var file = await PageOf(await Measure("producer", "--rate", "500", "--duration", "3s", "--warmup", "100ms"));
        await using var page = await _browser.Open(file, 1280);
        const string Chart = "[...document.querySelectorAll('.chart')].find(c => c.innerText.includes('over time'))";
        var box = await page.Evaluate($$"""
            (() => { const frame = {{Chart}}.querySelector('.frame'); frame.scrollIntoView(); frame.focus();
              const box = frame.getBoundingClientRect(); return [box.left, box.top, box.width]; })()
            """);
        var (left, top, width) = (box![0]!.GetValue<double>(), box[1]!.GetValue<double>(), box[2]!.GetValue<double>());

        await page.Mouse("mouseMoved", left + (width / 2), top + 20);
        var tip = (await page.Evaluate($"{Chart}.querySelector('.tip').textContent"))!.GetValue<string>();
        await page.Press("+");
        var close = (await page.Evaluate($"{Chart}.querySelector('svg').getAttribute('viewBox')"))!.GetValue<string>();
        await page.Press("Escape");
        var whole = (await page.Evaluate($"{Chart}.querySelector('svg').getAttribute('viewBox')"))!.GetValue<string>();
        await page.Evaluate($"{Chart}.querySelector('.s0').click()");
        var line = await page.Evaluate($"getComputedStyle({Chart}.querySelector('.l0')).display");

        // The unit is that of what a busy machine measured.
        tip.ShouldMatch(@"^at: [\d.]+ s\np50, [µm]s: [\d.,]+\np9[09], [µm]s: [\d.,]+\nmax, [µm]s: [\d.,]+$");
        double.Parse(close.Split(' ')[2], CultureInfo.InvariantCulture).ShouldBe(500, 0.01);
        whole.ShouldBe("0 0 1000 1000");
        line!.GetValue<string>().ShouldBe("none");
        page.Complaints.ShouldBeEmpty();
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static string Recorded(string run) => RepositoryRoot.Combine($"tests/Golden/runs/{run}");

    private async Task<string> Measure(params string[] words)
    {
        var folder = Path.Combine(_root, "runs", Guid.NewGuid().ToString("N"));
        await using var run = ServiceProcess.Start("Tool", [.. words, "--quiet", "--out", folder]);
        await run.End();
        Directory.Exists(folder).ShouldBeTrue(run.ToString());
        return Directory.GetDirectories(folder).ShouldHaveSingleItem(run.ToString());
    }

    // In its first second: as soon as the server has had an operation.
    private async Task<string> Interrupted(RedisServerProcess server)
    {
        var folder = Path.Combine(_root, "interrupted");
        await using var run = ServiceProcess.Start(
            "Tool", "load", "run", "--redis", server.Uri, "--records", "10", "--mix", "set=1", "--rate", "500",
            "--duration", "60s", "--warmup", "0", "--out", folder);
        await Eventually.Is("the server has had a SET", () => Statistics(server).Contains("cmdstat_set:calls="));
        // Of the few operations of so short a run some may be unsent on a busy machine, and 4 goes before 143.
        (await run.EndBy("TERM")).ShouldBeOneOf([143, 4], run.ToString());
        return Directory.GetDirectories(folder).ShouldHaveSingleItem();
    }

    private static string Statistics(RedisServerProcess server)
    {
        using var client = new TcpClient("127.0.0.1", server.Port);
        client.Client.Send("INFO commandstats\r\nQUIT\r\n"u8);
        return new StreamReader(client.GetStream()).ReadToEnd();
    }

    private async Task<string> PageOf(params string[] runs)
    {
        var file = Path.Combine(_root, $"{Guid.NewGuid():N}.html");
        await using var report = ServiceProcess.Start("Tool", ["report", .. runs, "--file", file]);
        (await report.End()).ShouldBe(0, report.ToString());
        return file;
    }

    /// <summary>For all of them: to start one takes seconds of a processor.</summary>
    public sealed class OneBrowser : IAsyncLifetime
    {
        private Task<ChromiumBrowser>? _browser;

        /// <summary>The browser; the test is skipped where there is none.</summary>
        public ChromiumBrowser Browser => _browser!.GetAwaiter().GetResult();

        public async ValueTask InitializeAsync()
        {
            _browser = ChromiumBrowser.Start();
            await Task.WhenAny(_browser);
        }

        public ValueTask DisposeAsync() =>
            _browser is { IsCompletedSuccessfully: true } ? Browser.DisposeAsync() : default;
    }
}
