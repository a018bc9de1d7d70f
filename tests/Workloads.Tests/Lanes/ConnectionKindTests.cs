using RedisLatency.Fixtures;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Tests.Engine;

namespace RedisLatency.Workloads.Tests.Lanes;

public sealed class ConnectionKindTests
{
    [Fact]
    public async Task Tls_WithAPasswordAndADatabase_CarriesOperationsOfEverySize()
    {
        using var authority = new TestAuthority();
        var (certificate, key) = authority.Sign("localhost");
        var port = FreePort.Next();
        await using var server = await LaneTest.StartServer(
            "--tls-port", $"{port}", "--tls-cert-file", certificate, "--tls-key-file", key,
            "--tls-ca-cert-file", authority.CaFile, "--tls-auth-clients", "no");
        LaneTest.Ask(server, "CONFIG", "SET", "requirepass", "secret");
        var endpoint = RedisEndpoint.Parse($"rediss://:secret@127.0.0.1:{port}/3") with
        {
            Tls = new() { CaFile = authority.CaFile, ServerName = "localhost" },
        };
        foreach (var length in (int[])[1, 1_000, 70_000])
        {
            var totals = LaneTest.Run(EngineTest.Plan("redis://unused", EngineTest.Mix("set", "get"), 1, length) with
            {
                Endpoints = [endpoint],
                Operations = 400,
                Pipeline = 5,
                Verify = true,
            });

            totals.ShouldBeBalanced();
            totals.Completed.ShouldBe(400);
            totals.Operations[1].Counts.Hits.ShouldBeGreaterThan(0);
        }

        LaneTest.Ask(server, ["INFO", "keyspace"], "secret").ShouldContain("db3:keys=1");
    }

    [Fact]
    public async Task Sentinels_LeadToThePrimary()
    {
        await using var sentinels = await SentinelProcesses.Start();
        var endpoint = sentinels.Uri([.. sentinels.Sentinels.Select(sentinel => sentinel.Port)]);

        var totals = LaneTest.Run(EngineTest.Plan(endpoint, EngineTest.Mix("set")) with { Operations = 200 });

        totals.ShouldBeBalanced();
        totals.Completed.ShouldBe(200);
    }

    [Fact]
    public async Task SeveralServers_AreTakenInTurn()
    {
        await using var first = await LaneTest.StartServer();
        await using var second = await LaneTest.StartServer();

        var totals = LaneTest.Run(EngineTest.Plan(first.Uri, EngineTest.Mix("incr"), keys: 1) with
        {
            Endpoints = [RedisEndpoint.Parse(first.Uri), RedisEndpoint.Parse(second.Uri)],
            Operations = 1_000,
        });

        var counts = new[] { first, second }.Select(server => int.Parse(
            LaneTest.Ask(server, "GET", "k0"), System.Globalization.CultureInfo.InvariantCulture)).ToArray();
        counts.Sum().ShouldBe(1_000);
        counts.ShouldAllBe(count => count > 0);
        totals.Completed.ShouldBe(1_000);
    }

    [Fact]
    public async Task Use_IsThatOfTheProcess_WithoutTheWarmUp()
    {
        await using var server = await LaneTest.StartServer();

        var totals = LaneTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("set", "get")) with
        {
            Operations = 2_000,
            WarmUp = TimeSpan.FromSeconds(0.2),
        });

        (totals.Sent, totals.Completed).ShouldBe((2_000, 2_000));
        totals.Processor.IsOfProcess.ShouldBeTrue();
        totals.Processor.Nanoseconds.ShouldBeGreaterThan(0);
        // A client that allocates less than this for an operation does not exist.
        totals.AllocatedBytes.ShouldBeGreaterThan(2_000 * 50);
    }
}
