using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Servers;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>A slot of a real cluster that is in the middle of its move for as long as it takes.</summary>
public sealed class MovingSlotTests
{
    private static readonly RedisClusterOptions TwoPrimaries = new() { Primaries = 2, ReplicasPerPrimary = 0 };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Run_WhoseKeysAreReadOfAMovingSlot_FindsThemAtBothServers(bool isMovingBefore)
    {
        await using var source = await RedisClusterProcesses.Start(TwoPrimaries);
        await using var destination = await RedisClusterProcesses.Start(TwoPrimaries);
        await using var copier = new KeyCopier(
            [.. source.Servers.Select(server => server.Uri)], [.. destination.Servers.Select(server => server.Uri)]);
        using var first = destination.Open(destination.Servers[0]);
        // The keys of a shard are of a slot amid its range, here of those up to 8191.
        var slotOfKeys = Encoding.ASCII.GetBytes($"{{{SlotTags.Of(4_096)}}}");
        var move = isMovingBefore ? MovingSlot.Begin(destination, slotOfKeys) : null;
        await using var process = DelayProcess.Start(
            source.Uri, destination.Uri, "--duration", "10m", "--rate", "100", "--warmup", "0", "--deadline", "50s",
            "--expiry", "5m", "--wait-interval", "0");
        if (move is null)
        {
            await Until("keys arrive", () => first.Execute("DBSIZE").Number > 20);
            move = MovingSlot.Begin(destination, slotOfKeys);
            move.MoveKeys(10);
        }

        using var ended = move;
        await Until("new keys arrive there", () =>
            move.To.Execute("CLUSTER", "COUNTKEYSINSLOT", $"{move.Slot}").Number > 60);
        await Until("they are read there", () =>
            move.To.Request(RespLimits.List, "CLIENT", "LIST").Text.Split("name=redislatency-destination").Length > 2);
        move.Complete();
        var moved = move.To.Execute("CLUSTER", "COUNTKEYSINSLOT", $"{move.Slot}").Number;
        await Until("more arrive behind the move", () =>
            move.To.Execute("CLUSTER", "COUNTKEYSINSLOT", $"{move.Slot}").Number > moved + 30);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(record.CodeOfStop(130), process.ToString());
        record.ShouldAccountForAllKeys();
        (record.Count("missing"), record.Count("refused")).ShouldBe((0, 0), process.ToString());
        record.EventKinds().ShouldContain("destination-changed");

        async Task Until(string what, Func<bool> isSo)
        {
            await Eventually.Is(what, () => process.HasExited || isSo());
            process.HasExited.ShouldBeFalse(process.ToString());
        }
    }

    [Fact]
    public async Task Question_OfAMovingSlot_GoesWhereAskAndMovedLead()
    {
        await using var cluster = await RedisClusterProcesses.Start(TwoPrimaries);
        var endpoint = RedisEndpoint.Parse(cluster.Uri);
        // A map that is asked for once only.
        using var map = SlotMapSource.Open(endpoint, Patience.Connection, leastInterval: TimeSpan.FromHours(1));
        using var stop = new StopSignal();
        using var questions = new KeyClient(
            LocatorOf("k", new ResolvedTarget(endpoint, Patience.Connection, DriverKind.Raw), map), TimeSpan.Zero, stop);
        using var move = MovingSlot.Begin(cluster, "k"u8);

        questions.Request("SET", "k", "1").Text.ShouldBe("OK");
        move.From.Execute("CLUSTER", "COUNTKEYSINSLOT", $"{move.Slot}").Number.ShouldBe(0);

        move.Complete();
        questions.Request("GET", "k").Text.ShouldBe("1");
    }

    private static ShardServer LocatorOf(string key, ResolvedTarget target, SlotMapSource map)
    {
        var servers = new SlotServers(target, map, isReplica: false);
        var route = new ShardRoute(
            servers, new SlotServers(target, map: null, isReplica: false), KeySlot.Of(Encoding.ASCII.GetBytes(key)),
            "the slot of a key", new SessionEvents());
        return new ShardServer("source", "the slot of a key", servers, route, now => now.Source);
    }
}
