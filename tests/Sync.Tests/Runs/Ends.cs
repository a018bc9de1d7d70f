using RedisLatency.Fixtures;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>One end of a synchronisation: a server or a cluster of three.</summary>
internal sealed class Ends : IAsyncDisposable
{
    private Ends(RedisServerProcess? server, RedisClusterProcesses? cluster) => (Server, Cluster) = (server, cluster);

    public RedisServerProcess? Server { get; }

    public RedisClusterProcesses? Cluster { get; }

    public IReadOnlyList<RedisServerProcess> Servers => Server is { } one ? [one] : Cluster?.Servers ?? [];

    public string Uri => Server?.Uri ?? Cluster!.Uri;

    public static async Task<Ends> Start(bool isCluster) => isCluster
        ? new(null, await RedisClusterProcesses.Start(
            new RedisClusterOptions { Primaries = 3, ReplicasPerPrimary = 0, Arguments = KeyContents.Debuggable }))
        : new(await RedisServerProcess.Start(arguments: KeyContents.Debuggable), null);

    /// <summary>Keys of every type, 300 of them; in a cluster in every shard.</summary>
    public void Write()
    {
        if (Server is not null)
        {
            using var connection = SyncProcess.Open(Server.Uri);
            KeyContents.Write(connection);
            return;
        }

        for (var i = 0; i < 50; i++)
        {
            var tag = $"{{{i}}}";
            using var connection = Cluster!.Open(
                Cluster.PrimaryOf(Redis.Topology.KeySlot.Of(System.Text.Encoding.ASCII.GetBytes($"{i}"))));
            KeyContents.Write(connection, count: 1, tag);
        }
    }

    /// <summary>Carries out a command where its key belongs.</summary>
    public void Execute(string key, params string[] words)
    {
        using var connection = Server is not null
            ? SyncProcess.Open(Server.Uri)
            : Cluster!.Open(Cluster.PrimaryOf(Redis.Topology.KeySlot.Of(System.Text.Encoding.UTF8.GetBytes(key))));
        connection.Execute(words);
    }

    public SortedDictionary<string, string> Contents() =>
        Server is not null ? KeyContents.Of(Server) : KeyContents.Of(Cluster!);

    public ValueTask DisposeAsync() => Server?.DisposeAsync() ?? Cluster!.DisposeAsync();
}
