using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class ConnectionKindTests
{
    [Theory]
    [InlineData(RespPreference.Resp2)]
    [InlineData(RespPreference.Auto)]
    public async Task UnixSocket_WithAUserAndADatabase(RespPreference protocol)
    {
        await using var server = await RedisServerProcess.Start(
            "redis-server", "--user", "loader", "on", ">secret", "~*", "+@all");
        var plan = EngineTest.Plan($"unix://loader:secret@{server.SocketPath}?db=3", EngineTest.Mix("set"), keys: 10);

        var totals = EngineTest.Run(
            plan with { Operations = 1_000, Pipeline = 4, Connection = Patience.Connection with { Protocol = protocol } });

        totals.Completed.ShouldBe(1_000);
        using var connection = RedisConnection.Open(RedisEndpoint.Parse($"{server.Uri}/3"), Patience.Connection);
        connection.Execute("DBSIZE").Text.ShouldBe("10");
    }

    [Fact]
    public async Task Tls_CarriesOperationsOfEverySize()
    {
        using var authority = new TestAuthority();
        var (certificate, key) = authority.Sign("localhost");
        var port = FreePort.Next();
        await using var server = await RedisServerProcess.Start(
            "redis-server", "--tls-port", $"{port}", "--tls-cert-file", certificate, "--tls-key-file", key,
            "--tls-ca-cert-file", authority.CaFile, "--tls-auth-clients", "no");
        var endpoint = RedisEndpoint.Parse($"rediss://127.0.0.1:{port}") with
        {
            Tls = new() { CaFile = authority.CaFile },
        };
        foreach (var length in (int[])[1, 1_000, 70_000])
        {
            var plan = EngineTest.Plan("redis://unused", EngineTest.Mix("set", "get"), keys: 1, length) with
            {
                Endpoints = [endpoint],
                Connection = new() { ConnectTimeout = EngineTest.Limit, CommandTimeout = EngineTest.Limit },
                Operations = 400,
                Pipeline = 5,
                Verify = true,
            };

            var totals = EngineTest.Run(plan);

            totals.ShouldBeBalanced();
            totals.Completed.ShouldBe(400);
            totals.Operations[1].Counts.Mismatched.ShouldBeLessThanOrEqualTo(20);
            totals.Operations[1].Counts.Hits.ShouldBeGreaterThan(0);
        }
    }
}
