using RedisLatency.Server.Keyspace;

namespace RedisLatency.Server.Clients;

/// <summary>Channels (or patterns, or shard channels) by name, while somebody is subscribed to them.</summary>
internal sealed class ChannelTable
{
    private readonly Dictionary<byte[], Channel> _channels = new(ByteStringComparer.Instance);
    private readonly Dictionary<byte[], Channel>.AlternateLookup<ReadOnlySpan<byte>> _lookup;
    private readonly byte[] _messageKind;

    /// <param name="messageKind">
    /// The first word of its messages: <c>message</c>, <c>pmessage</c>, <c>smessage</c>.
    /// </param>
    public ChannelTable(ReadOnlySpan<byte> messageKind)
    {
        _messageKind = messageKind.ToArray();
        _lookup = _channels.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    public int Count => _channels.Count;

    public Dictionary<byte[], Channel>.ValueCollection All => _channels.Values;

    public Channel? Find(ReadOnlySpan<byte> name) => _lookup.TryGetValue(name, out var channel) ? channel : null;

    public void Subscribe(ReadOnlySpan<byte> name, HashSet<byte[]> own, ClientConnection client)
    {
        if (Find(name) is not { } channel)
        {
            channel = new Channel(name.ToArray(), _messageKind);
            _channels.Add(channel.Name, channel);
        }

        if (own.Add(channel.Name))
            channel.Subscribers.Add(client);
    }

    public void Unsubscribe(ReadOnlySpan<byte> name, HashSet<byte[]> own, ClientConnection client)
    {
        if (Find(name) is not { } channel || !own.Remove(channel.Name))
            return;
        channel.Subscribers.Remove(client);
        if (channel.Subscribers.Count == 0)
            _channels.Remove(channel.Name);
    }
}
