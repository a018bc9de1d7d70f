using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Servers;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Lanes;

public sealed class LaneSocketTests
{
    [Fact]
    public async Task Request_OverTls_IsSentToItsEnd_WhereTheKernelTakesAPart()
    {
        using var authority = new TestAuthority();
        var (certificate, key) = authority.Sign("cache.example");
        var port = FreePort.Next();
        await using var target = await RedisServerProcess.Start(
            arguments:
            [
                "--tls-port", $"{port}", "--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file",
                authority.CaFile, "--tls-auth-clients", "no",
            ]);
        var plain = RedisEndpoint.Parse($"rediss://127.0.0.1:{port}");
        var endpoint = plain with { Tls = plain.Tls with { CaFile = authority.CaFile } };
        var options = Patience.Connection;
        using var poller = ReadinessPoller.Create();
        var taken = RedisConnection.Open(endpoint, options).Take();
        taken.Socket.SendBufferSize = 4096;
        using var socket = new LaneSocket(taken, poller);
        var flight = new LaneInFlight(
            new LaneRules
            {
                Target = new(endpoint, options, DriverKind.Raw),
                Clock = ServerClock.OfThisMachine,
                Format = new RdbFormat(false, 10),
                Table = new CommandTable(),
                Events = new SessionEvents(),
            },
            new RequestCommands(new CommandTable()),
            () => new LaneChunk(),
            _ => { });
        var chunk = new LaneChunk();
        chunk.Requests.WriteRequest("SET", "key", new string('x', 240_000));
        chunk.Add(new SentUnit { Length = chunk.Requests.Length, Replies = 1 });
        flight.Append(chunk);

        using var to = SyncProcess.Open(target.Uri);
        var turns = 0;
        await Eventually.Is("it is there", () =>
        {
            if (!flight.SendTo(socket))
                turns++;
            return to.Execute("EXISTS", "key").Number == 1;
        });

        turns.ShouldBeGreaterThan(0);
        to.Execute("STRLEN", "key").Number.ShouldBe(240_000);
    }
}
