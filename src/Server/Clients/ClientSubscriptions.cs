using RedisLatency.Server.Keyspace;

namespace RedisLatency.Server.Clients;

internal sealed class ClientSubscriptions
{
    public HashSet<byte[]> Channels { get; } = new(ByteStringComparer.Instance);

    public HashSet<byte[]> Patterns { get; } = new(ByteStringComparer.Instance);

    public HashSet<byte[]> ShardChannels { get; } = new(ByteStringComparer.Instance);

    public int Count => Channels.Count + Patterns.Count + ShardChannels.Count;
}
