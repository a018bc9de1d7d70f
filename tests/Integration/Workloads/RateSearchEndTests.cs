using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.Figures;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Workloads;

/// <summary>Searches that end without a rate of the server's: this tool is the limit, or nothing holds.</summary>
public class RateSearchEndTests : WorkloadTest
{
    /// <summary>Its service time stays what it was: that it did not send is all that tells.</summary>
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
            "--find-max-rate", "service.p50<60ms", "--duration", "3s", "--warmup", "0s", "--connections", "1",
            "--max-in-flight", "1");
        await RateSearchTests.Steps(process);

        (await process.End()).ShouldBe(4, process.ToString());
        var run = SavedRun.Of(process);
        run.Record.Search.ShouldNotBeNull().End.ShouldBe(SearchEnd.Generator);
        run.Record.Search.Held.ShouldNotBeNull().ShouldBeLessThanOrEqualTo(55);
        run.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains("operations in flight"));
    }

    [Fact(Explicit = true)]
    public async Task Search_UnderALimitThatNothingHolds_SaysSo()
    {
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, Server.Port))],
            Profile = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(10)),
        });
        await using var process = ServiceProcess.Start(
            "Workloads", RateSearchTests.AsPrinted, "run", "--redis", $"redis://127.0.0.1:{Text(link.PortOf())}",
            "--mix", "ping=1", "--find-max-rate", "p50<15ms", "--duration", "3s", "--warmup", "0s");
        await RateSearchTests.Steps(process);

        (await process.End()).ShouldBe(99, process.ToString());
        var search = SavedRun.Of(process).Record.Search.ShouldNotBeNull();
        (search.Held, search.End).ShouldBe((null, SearchEnd.Latency));
        process.Output.Lines[0].ShouldContain("no rate was held under response.p50<15ms");
    }
}
