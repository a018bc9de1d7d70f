using RedisLatency.Server.Commands;

namespace RedisLatency.Server.Clients;

/// <summary>Channels by name, while somebody is subscribed to them.</summary>
internal sealed class ChannelTable
{
    private readonly Dictionary<byte[], Channel> _channels = new(ByteStringComparer.Instance);
    private readonly Dictionary<byte[], Channel>.AlternateLookup<ReadOnlySpan<byte>> _lookup;

    public ChannelTable() => _lookup = _channels.GetAlternateLookup<ReadOnlySpan<byte>>();

    public int Count => _channels.Count;

    public Channel? Find(ReadOnlySpan<byte> name) => _lookup.TryGetValue(name, out var channel) ? channel : null;

    public void Subscribe(ReadOnlySpan<byte> name, ClientConnection client)
    {
        if (Find(name) is not { } channel)
        {
            channel = new Channel(name.ToArray());
            _channels.Add(channel.Name, channel);
        }

        if (client.Channels.Add(channel.Name))
            channel.Subscribers.Add(client);
    }

    public void Unsubscribe(ReadOnlySpan<byte> name, ClientConnection client)
    {
        if (Find(name) is not { } channel || !client.Channels.Remove(channel.Name))
            return;
        channel.Subscribers.Remove(client);
        if (channel.Subscribers.Count == 0)
            _channels.Remove(channel.Name);
    }
}
