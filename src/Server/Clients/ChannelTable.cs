using RedisLatency.Server.Commands;

namespace RedisLatency.Server.Clients;

/// <summary>Channels (or patterns, or shard channels) by name, while somebody is subscribed to them.</summary>
internal sealed class ChannelTable
{
    private readonly Dictionary<byte[], Channel> _channels = new(ByteStringComparer.Instance);
    private readonly Dictionary<byte[], Channel>.AlternateLookup<ReadOnlySpan<byte>> _lookup;
    private readonly byte[] _messageKind;
    private readonly Func<ClientSubscriptions, HashSet<byte[]>> _of;

    /// <param name="messageKind">
    /// The first word of its messages: <c>message</c>, <c>pmessage</c>, <c>smessage</c>.
    /// </param>
    /// <param name="of">A client's own of these.</param>
    public ChannelTable(ReadOnlySpan<byte> messageKind, Func<ClientSubscriptions, HashSet<byte[]>> of)
    {
        (_messageKind, _of) = (messageKind.ToArray(), of);
        _lookup = _channels.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    public int Count => _channels.Count;

    public Dictionary<byte[], Channel>.ValueCollection All => _channels.Values;

    public Channel? Find(ReadOnlySpan<byte> name) => _lookup.TryGetValue(name, out var channel) ? channel : null;

    public HashSet<byte[]> Of(ClientConnection client) => _of(client.Subscriptions);

    public void Subscribe(ReadOnlySpan<byte> name, ClientConnection client)
    {
        if (Find(name) is not { } channel)
        {
            channel = new Channel(name.ToArray(), _messageKind);
            _channels.Add(channel.Name, channel);
        }

        if (Of(client).Add(channel.Name))
            channel.Subscribers.Add(client);
    }

    public void Unsubscribe(ReadOnlySpan<byte> name, ClientConnection client)
    {
        if (Find(name) is not { } channel || !Of(client).Remove(channel.Name))
            return;
        channel.Subscribers.Remove(client);
        if (channel.Subscribers.Count == 0)
            _channels.Remove(channel.Name);
    }
}
