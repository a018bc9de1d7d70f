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

    internal static readonly Dictionary<string, string> AsPrinted = new() { ["REDISLATENCY__Output__Details"] = "false" };

    /// <summary>
    /// What the host adds is in what the search itself says: its two rates contain the planted one, or where this
    /// machine stalled too much for that, it says that it did not find it.
    /// </summary>
    [Fact(Explicit = true)]
    public async Task Search_BehindALinkOfALimitedRate_FindsTheRate_AlthoughTheLinkStallsOnce()
    {
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, Server.Port))],
            Profile = new LinkProfile
            {
                Forward = new LinkSettings
                {
                    Delay = TimeSpan.FromMilliseconds(10),
                    Rate = Planted * Ping.Length,
                    // In the first step, after the estimate of 2 s.
                    Stalls = [new LinkSpan(TimeSpan.FromSeconds(4), TimeSpan.FromMilliseconds(300))],
                },
                Back = new LinkSettings { Delay = TimeSpan.FromMilliseconds(10) },
            },
        });
        await using var process = ServiceProcess.Start(
            "Workloads", AsPrinted, "run", "--redis", $"redis://127.0.0.1:{Text(link.PortOf())}", "--mix", "ping=1",
            "--find-max-rate", "p50<60ms", "--duration", "3s", "--warmup", "200ms");
        await Steps(process);
        var code = await process.End();

        var run = SavedRun.Of(process);
        var search = run.Record.Search.ShouldNotBeNull();
        search.Limit.ShouldBe("response.p50<60ms");
        search.Steps.Count.ShouldBeGreaterThan(3);
        search.Steps.ShouldAllBe(step => step.Achieved < Planted * 1.1);
        run.Record.Summaries.Count(phase => phase.Rates.Asked is not null).ShouldBe(search.Steps.Count);
        // No rate that the link does not take is said to be held, whatever the machine did.
        (search.Held ?? 0).ShouldBeLessThanOrEqualTo(Planted * 1.05);
        if (search.End == SearchEnd.Generator)
        {
            code.ShouldBe(4, process.ToString());
            run.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains("This tool was the limit"));
            return;
        }

        // Nor one that the link takes and this tool did not send.
        var held = search.Held.ShouldNotBeNull(process.ToString());
        var answer = search.Answer.ShouldNotBeNull();
        answer.LengthNs.ShouldBeGreaterThanOrEqualTo(9_000_000_000);
        answer.Achieved.ShouldNotBeNull().ShouldBeGreaterThanOrEqualTo(held * 0.97);
        run.Record.Metrics["max-rate"].ShouldBe(held);
        ShouldBeOnOneScreen(process.Output, search);
        if (search.MissedLater.Count > 1)
        {
            code.ShouldBe(4, process.ToString());
            return;
        }

        code.ShouldBe(0, process.ToString());
        (search.NotHeld.ShouldNotBeNull() / held).ShouldBeLessThanOrEqualTo(1.02);
        // A stall makes a rate miss, never hold: two of three must have met one to bring the upper end down.
        if (!search.Deciding.Any(step => step.Asked < Planted * 0.97 && step.Outcome != StepOutcome.Held))
            held.ShouldBeGreaterThanOrEqualTo(Planted * 0.95);
    }

    private static void ShouldBeOnOneScreen(CapturedLines output, RateSearchResult search)
    {
        output.Lines.Count.ShouldBeLessThanOrEqualTo(45);
        // The last is for programs, and a command that can be pasted is not broken.
        output.Lines.SkipLast(1).Where(line => !line.StartsWith("  results: "))
            .ShouldAllBe(line => line.Length <= 80);
        output.Lines[0].ShouldContain("the highest rate under response.p50<60ms");
        output.Lines.Count(line => line.StartsWith("  ") && line.Contains("/s   ")).ShouldBeGreaterThanOrEqualTo(
            search.Deciding.Count());
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

    // One at a time, as all of them take longer than anything else may that a test waits for.
    internal static async Task Steps(ServiceProcess process)
    {
        for (var step = 1; !process.Output.End.IsCompleted; step++)
            await Task.WhenAny((Task)process.Output.End, process.Errors.WaitFor($": step {Text(step)}:"));
    }
}
