using RedisLatency.Fixtures;

namespace RedisLatency.Tool.Tests;

/// <summary>The page of a run that lasts, in the system's Chromium from its start to its end.</summary>
public sealed class LivePageLookTests(PageLookTests.OneBrowser one) : IClassFixture<PageLookTests.OneBrowser>
{
    private const string Chart =
        "[...document.querySelectorAll('.chart')].find(c => c.innerText.startsWith('rtt-intended over time'))";

    [Fact]
    public async Task Page_FollowsTheRun_AndLeavesAloneWhatItsReaderDid()
    {
        await using var run = ServiceProcess.Start(
            "Tool", "producer", "--rate", "300", "--duration", "5m", "--warmup", "500ms",
            "--live-page", "127.0.0.1:0");
        const string Announcement = "The live page is at ";
        var address = (await run.Errors.WaitFor(Announcement))[Announcement.Length..].TrimEnd('.');
        await using var page = await one.Browser.Open(address, 1280);
        await Until(page, $"{Chart}?.querySelector('.line') !== null && {Chart} !== undefined");

        await page.Evaluate($$"""
            (() => { const chart = {{Chart}}; chart.querySelector('.s0').click();
              chart.querySelector('details:last-of-type').open = true; window.scrollTo(0, 300);
              chart.querySelector('.frame').focus({ preventScroll: true }); })()
            """);
        await page.Press("+");
        var before = await page.Evaluate("document.querySelector('h1').textContent");
        await Until(page, $"document.querySelector('h1').textContent !== {before!.ToJsonString()}");
        await ShouldBeAsLeft(page);
        await using (var again = await one.Browser.Open(address, 390))
            (await again.Evaluate("document.querySelector('.live').textContent"))!.GetValue<string>()
                .ShouldBe("This page follows the run.");

        run.Signal("INT");
        await Until(page, "document.querySelector('.live').textContent.includes('final record')");
        (await run.End()).ShouldBe(130, run.ToString());
        await ShouldBeAsLeft(page);
        (await page.Evaluate("document.querySelector('h1').className"))!.GetValue<string>().ShouldNotBe("under-way");
        page.Requests.ShouldAllBe(asked => asked.StartsWith(address, StringComparison.Ordinal));
        page.Complaints.ShouldBeEmpty();
    }

    [Fact]
    public async Task Page_OfASynchronisation_HasItsStagesAndItsBacklog()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        await using var load = ServiceProcess.Start(
            "Tool", "load", "run", source.Uri, "--mix", "set=1", "--records", "1000", "--rate", "500", "--duration",
            "5m", "--warmup", "0", "--quiet");
        await using var run = ServiceProcess.Start(
            "Tool", "sync", source.Uri, target.Uri, "--live-page", "127.0.0.1:0");

        await ShouldBeFollowed(run, "Backlog: read at the source", "following what is written");
    }

    [Fact]
    public async Task Page_OfASearch_HasItsSteps()
    {
        await using var server = await RedisServerProcess.Start();
        await using var run = ServiceProcess.Start(
            "Tool", "load", "run", server.Uri, "--mix", "ping=1", "--find-max-rate", "p50<50ms", "--duration", "3s",
            "--warmup", "0", "--live-page", "127.0.0.1:0");

        await ShouldBeFollowed(run, "Latency against rate", "under response.p50<50ms");
    }

    // From its start over a reload to its end.
    private async Task ShouldBeFollowed(ServiceProcess run, string chart, string text)
    {
        var shown = $$"""
            [...document.querySelectorAll('figcaption')].some(c => c.textContent.startsWith('{{chart}}'))
              && document.querySelector('main').textContent.includes('{{text}}')
            """;
        const string State = "document.querySelector('.live').textContent";
        const string Announcement = "The live page is at ";
        var address = (await run.Errors.WaitFor(Announcement))[Announcement.Length..].TrimEnd('.');
        await using var page = await one.Browser.Open(address, 1280);
        await Until(page, shown);

        await page.Reload();
        await Until(page, shown);
        (await page.Evaluate(State))!.GetValue<string>().ShouldBe("This page follows the run.");

        run.Signal("INT");
        await Until(page, $"{State}.includes('final record')");
        // A machine that is too busy for a search's rates goes before the signal.
        (await run.End()).ShouldBeOneOf([130, 4], run.ToString());
        (await page.Evaluate(shown))!.GetValue<bool>().ShouldBeTrue(run.ToString());
        (await page.Evaluate("document.querySelector('h1').className"))!.GetValue<string>().ShouldNotBe("under-way");
        page.Requests.ShouldAllBe(asked => asked.StartsWith(address, StringComparison.Ordinal));
        page.Complaints.ShouldBeEmpty();
    }

    private static async Task ShouldBeAsLeft(ChromiumPage page)
    {
        var state = await page.Evaluate($$"""
            (() => { const chart = {{Chart}}; return [chart.querySelector('.s0').checked,
              getComputedStyle(chart.querySelector('.l0')).display, chart.querySelector('details:last-of-type').open,
              chart.querySelector('svg').getAttribute('viewBox').split(' ')[2],
              chart.querySelector('.frame') === document.activeElement, scrollY > 0]; })()
            """);
        state!.ToJsonString().ShouldBe("""[false,"none",true,"500",true,true]""");
    }

    private static async Task Until(ChromiumPage page, string condition)
    {
        using var limit = new CancellationTokenSource(ServiceProcess.LimitAgainstHangs);
        while ((await page.Evaluate(condition))?.GetValue<bool>() != true)
            await Task.Delay(TimeSpan.FromMilliseconds(50), limit.Token);
    }
}
