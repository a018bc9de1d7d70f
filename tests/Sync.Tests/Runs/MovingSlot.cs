using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>The slot of a key, in the middle of its move from its owner to another server of the cluster.</summary>
internal sealed record MovingSlot(int Slot, RedisConnection From, RedisConnection To) : IDisposable
{
    public static MovingSlot Begin(RedisClusterProcesses cluster, ReadOnlySpan<byte> key)
    {
        var slot = KeySlot.Of(key);
        var owner = cluster.PrimaryOf(slot);
        var (from, to) = (cluster.Open(owner), cluster.Open(cluster.Servers.First(server => server != owner)));
        to.Execute("CLUSTER", "SETSLOT", $"{slot}", "IMPORTING", from.Execute("CLUSTER", "MYID").Text);
        from.Execute("CLUSTER", "SETSLOT", $"{slot}", "MIGRATING", to.Execute("CLUSTER", "MYID").Text);
        return new MovingSlot(slot, from, to);
    }

    public void Dispose()
    {
        From.Dispose();
        To.Dispose();
    }
}
