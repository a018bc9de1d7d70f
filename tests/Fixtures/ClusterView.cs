using RedisLatency.Redis.Connections;

namespace RedisLatency.Fixtures;

/// <summary>
/// A cluster as one of its servers sees it; read here in the simplest way, so that tests do not compare the product
/// with itself.
/// </summary>
internal sealed class ClusterView
{
    private ClusterView(bool isUp) => IsUp = isUp;

    public bool IsUp { get; }

    /// <summary>The primary's port of each slot; zero where there is none.</summary>
    public int[] Primaries { get; } = new int[16384];

    /// <summary>The replicas' ports by the primary's.</summary>
    public Dictionary<int, SortedSet<int>> Replicas { get; } = [];

    public int ServerCount => Replicas.Count + Replicas.Values.Sum(ports => ports.Count);

    public static ClusterView Read(RedisConnection connection)
    {
        var view = new ClusterView(
            connection.Execute("CLUSTER", "INFO").Text.Contains("cluster_state:ok", StringComparison.Ordinal));
        foreach (var entry in connection.Execute("CLUSTER", "SLOTS").Items)
        {
            var ports = entry.Items.Skip(2).Select(server => (int)server.Items[1].Number).ToList();
            for (var slot = (int)entry.Items[0].Number; slot <= entry.Items[1].Number; slot++)
                view.Primaries[slot] = ports[0];
            if (!view.Replicas.TryGetValue(ports[0], out var replicas))
                view.Replicas[ports[0]] = replicas = [];
            replicas.UnionWith(ports.Skip(1));
        }

        return view;
    }

    public bool Agrees(ClusterView other) =>
        Primaries.AsSpan().SequenceEqual(other.Primaries)
        && Replicas.Count == other.Replicas.Count
        && Replicas.All(
            shard => other.Replicas.TryGetValue(shard.Key, out var theirs) && shard.Value.SetEquals(theirs));
}
