using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Clients;

/// <summary>A channel or pattern that somebody is subscribed to, with the head of its messages ready made.</summary>
internal sealed class Channel(byte[] name, ReadOnlySpan<byte> kind)
{
    private readonly byte[] _head = Head(name, kind);

    public byte[] Name { get; } = name;

    public List<ClientConnection> Subscribers { get; } = [];

    /// <summary>The message without its payload and, for patterns, its channel; the type byte comes before.</summary>
    public ReadOnlySpan<byte> MessageHead => _head;

    private static byte[] Head(byte[] name, ReadOnlySpan<byte> kind)
    {
        var writer = new RespWriter(name.Length + 64);
        writer.WriteBulkString(kind);
        writer.WriteBulkString(name);
        return writer.Written.ToArray();
    }
}
