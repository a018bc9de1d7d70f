using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Two primaries, and a replicator between them that is the test itself: it does what it should not.</summary>
public class ForeignReplicatorTests
{
    [Fact]
    public async Task Run_WithAReplicatorThatForgetsAndOverwrites_CountsEachKeyForWhatItWas()
    {
        using var source = InProcessServer.Start();
        using var destination = InProcessServer.Start();
        await using var process = DelayProcess.Start(
            source.Endpoint, destination.Endpoint, "--keys", "40", "--rate", "1k", "--warmup", "0", "--deadline", "10s",
            "--wait-interval", "0");
        using var from = RedisConnection.Open(RedisEndpoint.Parse(source.Endpoint), Patience.Connection);
        using var to = RedisConnection.Open(RedisEndpoint.Parse(destination.Endpoint), Patience.Connection);

        Copy(from, to, await Appear(from, ":first", 1));
        var keys = await Appear(from, string.Empty, 41);
        foreach (var fate in keys.Where(key => !key.EndsWith("first", StringComparison.Ordinal)).Chunk(4))
        {
            Copy(from, to, [fate[0]]);
            to.Execute("SET", fate[1], "1700000000000");
            from.Execute("DEL", fate[2]);
        }

        var (code, record) = await process.End().End(process);
        code.ShouldBe(4, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(10);
        record.Count("overwritten").ShouldBe(10);
        record.Count("missing").ShouldBe(20);
        record.Keys()["missingAtSource"]!.GetValue<long>().ShouldBe(10);
    }

    [Fact]
    public async Task Run_WithAReplicatorThatSwapsAltersAndCuts_CountsAsReadWhatIsAsItWasWritten()
    {
        using var source = InProcessServer.Start();
        using var destination = InProcessServer.Start();
        await using var process = DelayProcess.Start(
            source.Endpoint, destination.Endpoint, "--keys", "40", "--rate", "1k", "--warmup", "0", "--deadline", "10s",
            "--wait-interval", "0");
        using var from = RedisConnection.Open(RedisEndpoint.Parse(source.Endpoint), Patience.Connection);
        using var to = RedisConnection.Open(RedisEndpoint.Parse(destination.Endpoint), Patience.Connection);

        Copy(from, to, await Appear(from, ":first", 1));
        var keys = await Appear(from, string.Empty, 41);
        foreach (var fate in keys.Where(key => !key.EndsWith("first", StringComparison.Ordinal)).Chunk(5))
        {
            Copy(from, to, [fate[0]]);
            to.Execute("SET", fate[1], from.Execute("GET", fate[2]).Text);
            to.Execute("SET", fate[2], from.Execute("GET", fate[1]).Text);
            to.Execute("SET", fate[3], from.Execute("GET", fate[3]).Text[..^1] + "!");
            to.Execute("SET", fate[4], from.Execute("GET", fate[4]).Text[..100]);
        }

        var (code, record) = await process.End().End(process);
        code.ShouldBe(4, process.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(8);
        record.Count("overwritten").ShouldBe(32);
        record.EventKinds().ShouldBeEmpty("the server answered what it was asked");
    }

    [Fact]
    public async Task Run_FromAClusterToAServerAlone_MeasuresEveryShard()
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { Primaries = 3, ReplicasPerPrimary = 0 });
        using var destination = InProcessServer.Start();
        await using var process = DelayProcess.Start(
            cluster.Uri, destination.Endpoint, "--keys", "60", "--rate", "1k", "--warmup", "0", "--deadline", "10s",
            "--wait-interval", "0");
        using var to = RedisConnection.Open(RedisEndpoint.Parse(destination.Endpoint), Patience.Connection);

        foreach (var server in cluster.Servers)
        {
            using var from = cluster.Open(server);
            Copy(from, to, await Appear(from, ":first", 1));
        }

        foreach (var server in cluster.Servers)
        {
            using var from = cluster.Open(server);
            var keys = await Appear(from, string.Empty, 21);
            Copy(from, to, keys.Where(key => !key.EndsWith("first", StringComparison.Ordinal)));
        }

        var (code, record) = await process.End().End(process);
        record.ShouldBeValidUnlessLate(code, process);
        record.Count("read").ShouldBe(60);
        record.Shards().Select(shard => shard.CountOf("read")).ShouldBe([20, 20, 20]);
    }

    private static async Task<string[]> Appear(RedisConnection server, string end, int count)
    {
        string[] found = [];
        await Eventually.Is(
            "the keys are written",
            () => (found =
                [
                    .. server.Execute("SCAN", "0", "COUNT", "1000").Items[1].Items.Select(key => key.Text)
                        .Where(key => key.EndsWith(end, StringComparison.Ordinal)),
                ]).Length == count);
        return found;
    }

    private static void Copy(RedisConnection from, RedisConnection to, IEnumerable<string> keys)
    {
        foreach (var key in keys)
            to.Execute("SET", key, from.Execute("GET", key).Text);
    }
}
