using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Fixtures;

/// <summary>The slot of a key, in the middle of its move from its owner to another server of the cluster.</summary>
public sealed record MovingSlot(int Slot, RedisConnection From, RedisConnection To) : IDisposable
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

    /// <summary>Moves the keys that the owner has.</summary>
    /// <param name="most">At most so many of them.</param>
    public void MoveKeys(int most)
    {
        var keys = From.Execute("CLUSTER", "GETKEYSINSLOT", $"{Slot}", $"{most}").Items.Select(key => key.Text);
        From.Execute(["MIGRATE", "127.0.0.1", $"{To.Endpoint.Port}", "", "0", "5000", "KEYS", .. keys]);
    }

    /// <summary>Moves the rest, and gives the slot to the other server.</summary>
    public void Complete()
    {
        while (From.Execute("CLUSTER", "COUNTKEYSINSLOT", $"{Slot}").Number > 0)
            MoveKeys(100);
        var owner = To.Execute("CLUSTER", "MYID").Text;
        To.Execute("CLUSTER", "SETSLOT", $"{Slot}", "NODE", owner);
        From.Execute("CLUSTER", "SETSLOT", $"{Slot}", "NODE", owner);
    }

    public void Dispose()
    {
        From.Dispose();
        To.Dispose();
    }
}
