using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Figures;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Workloads;

/// <summary>Two servers, loaded in turns.</summary>
public class ComparisonTests
{
    [Theory]
    [InlineData("response", "--rate", "1000")]
    [InlineData("service")]
    public async Task Load_OfTwoServers_OneOfThemBehindALink_SaysByHowMuchItIsWorse(string series, params string[] rate)
    {
        await using var near = await RedisServerProcess.Start();
        await using var far = await RedisServerProcess.Start();
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, far.Port))],
            Profile = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(10)),
        });

        await using var load = ServiceProcess.Start(
            "Workloads",
            ["--redis", near.Uri, "--redis", $"redis://127.0.0.1:{link.PortOf()}", "--records", "500", "--duration", "5s",
                "--warmup", "100ms", .. rate]);
        (await load.End()).ShouldBeOneOf([0, 4], load.ToString());

        var record = SavedRun.Of(load).Record;
        var comparison = record.Comparison.ShouldNotBeNull();
        comparison.Series.ShouldBe(series);
        comparison.Turns.ShouldBe(10);
        record.Summaries.Count(summary => summary.Workload!.Verb == "run").ShouldBe(2 * comparison.Turns);
        var median = comparison.Percentiles[0];
        median.Outcome.ShouldBe(ComparisonOutcome.Worse, load.ToString());
        // The link adds 20 ms; a busy machine adds to it in the relay, so there is no bound from above.
        median.DifferenceUpperNs.ShouldBeGreaterThan(20e6, load.ToString());
        foreach (var server in new[] { near, far })
            KeysOf(server).ShouldBeGreaterThan(500);
        load.Output.Lines[^1].ShouldContain($" comparison.{series}.p50.ratio=");
        load.Output.Lines[^1].ShouldNotContain(".sent=");
    }

    [Theory]
    [InlineData(2, "at most two endpoints can be compared", "--redis", "a:1", "--redis", "b:1", "--redis", "c:1")]
    [InlineData(2, "in turns of one fixed rate", "--redis", "a:1", "--redis", "b:1", "--rate", "1k..2k:5s")]
    [InlineData(2, "would find what was inserted", "--redis", "a:1", "--redis", "b:1", "--mix", "insert=1")]
    public async Task WhatCannotBeCompared_IsRefused(int code, string reason, params string[] arguments)
    {
        await using var run = ServiceProcess.Start("Workloads", ["run", .. arguments]);

        (await run.End()).ShouldBe(code, run.ToString());

        run.Errors.ToString().ShouldContain(reason);
    }

    [Fact]
    public async Task OneServerByTwoNames_IsRefused_AndNothingIsWritten()
    {
        await using var server = await RedisServerProcess.Start();
        await using var load = ServiceProcess.Start(
            "Workloads", "load", "--redis", server.Uri, "--redis", $"redis://localhost:{server.Port}");

        (await load.End()).ShouldBe(3, load.ToString());

        load.Errors.ToString().ShouldContain("are the same server.");
        KeysOf(server).ShouldBe(0);
    }

    // With the note of what was written.
    private static long KeysOf(RedisServerProcess server)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        return connection.Execute("DBSIZE").Number;
    }
}
