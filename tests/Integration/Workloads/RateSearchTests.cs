using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.Figures;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Workloads;

/// <summary>The highest rate under a latency limit, found where one was planted.</summary>
public class RateSearchTests : WorkloadTest
{
    // 14 bytes each, by a way that takes so many bytes a second and 10 ms.
    private const string Ping = "*1\r\n$4\r\nPING\r\n";
    private const int Planted = 2_000;

    /// <summary>
    /// What the host adds is in what the search itself says: its two rates contain the planted one, or where this
    /// machine stalled too much for that, it says that it did not find it.
    /// </summary>
    [Fact(Explicit = true)]
    public async Task Search_BehindALinkOfALimitedRate_FindsTheRate()
    {
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, Server.Port))],
            Profile = new LinkProfile
            {
                Forward = new LinkWay { Delay = TimeSpan.FromMilliseconds(10), Rate = Planted * Ping.Length },
                Back = new LinkWay { Delay = TimeSpan.FromMilliseconds(10) },
            },
        });
        await using var process = ServiceProcess.Start(
            "Workloads", "run", "--redis", $"redis://127.0.0.1:{Text(link.PortOf())}", "--mix", "ping=1",
            "--find-max-rate", "p50<60ms", "--duration", "3s", "--warmup", "200ms");
        await Steps(process);
        var code = await process.End();

        var run = SavedRun.Of(process);
        var search = run.Record.Search.ShouldNotBeNull();
        search.Limit.ShouldBe("response.p50<60ms");
        search.Steps.Count.ShouldBeGreaterThan(5);
        // No rate that the link does not take is said to be held, whatever the machine did.
        var held = search.Held.ShouldNotBeNull(process.ToString());
        held.ShouldBeLessThanOrEqualTo(Planted * 1.05);
        run.Record.Summaries.Count(phase => phase.Rates.Asked is not null).ShouldBe(search.Steps.Count);
        if (search.End == SearchEnd.Latency)
        {
            code.ShouldBe(0, process.ToString());
            var notHeld = search.NotHeld.ShouldNotBeNull();
            (notHeld / held).ShouldBeLessThanOrEqualTo(1.02);
            // A stall makes a rate miss, never hold: it may bring the upper end down, and tells so in its steps.
            if (!search.Steps.Any(step => step.Asked < Planted * 0.97 && step.Outcome != StepOutcome.Held))
                held.ShouldBeGreaterThanOrEqualTo(Planted * 0.95);
        }
        else
        {
            code.ShouldBe(4, process.ToString());
            run.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains("This tool was the limit"));
        }
    }

    [Fact(Explicit = true)]
    public async Task Search_OfMoreThanThisToolCanHaveInFlight_SaysThatTheToolWasTheLimit()
    {
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, Server.Port))],
            Profile = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(10)),
        });
        // One in flight that takes 20 ms: at most 50 a second.
        await using var process = ServiceProcess.Start(
            "Workloads", "run", "--redis", $"redis://127.0.0.1:{Text(link.PortOf())}", "--mix", "ping=1",
            "--find-max-rate", "p50<60ms", "--duration", "3s", "--warmup", "0s", "--connections", "1",
            "--max-in-flight", "1");
        await Steps(process);

        (await process.End()).ShouldBe(4, process.ToString());
        var run = SavedRun.Of(process);
        run.Record.Search.ShouldNotBeNull().End.ShouldBe(SearchEnd.Generator);
        run.Record.Search.Held.ShouldNotBeNull().ShouldBeLessThanOrEqualTo(55);
        run.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains("operations in flight"));
    }

    [Theory]
    [InlineData("p99<1ms", "--rate", "1k", "the search chooses the rates itself")]
    [InlineData("p99<1ms", "--duration", "1s", "a step takes at least 3 s")]
    [InlineData("p99<1s", "--duration", "5s", "50 times the limit")]
    [InlineData("p99<1ms", "--operations", "100", "go by --duration")]
    [InlineData("p99>1ms", "--records", "10", "a percentile below a time is needed")]
    [InlineData("errors<1", "--records", "10", "a percentile below a time is needed")]
    [InlineData("rtt.p99<1ms", "--records", "10", "rtt")]
    [InlineData("rmw-response.p99<1ms", "--mix", "get=1", "there is no operation rmw")]
    [InlineData("p99<1ms", "--threshold", "errors==0", "judges its steps by its own limit")]
    [InlineData("p99<1ms", "--workload", "d", "would be there already")]
    public async Task Search_OfWhatCannotBe_IsRefused(string limit, string option, string value, string reason)
    {
        var process = Start("run", "--find-max-rate", limit, option, value);

        (await process.End()).ShouldBe(2, process.ToString());
        process.ToString().ReplaceLineEndings(" ").ShouldContain(reason);
    }

    // A dozen steps of seconds; those at twice what goes through take as long again to drain.
    private static async Task Steps(ServiceProcess process)
    {
        foreach (var step in new[] { "step 3:", "step 5:" })
            await process.Errors.WaitFor(step);
    }
}
