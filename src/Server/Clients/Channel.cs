using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Clients;

/// <summary>A channel that somebody is subscribed to, with the head of its messages ready made.</summary>
internal sealed class Channel(byte[] name)
{
    private readonly byte[] _head = Head(name);

    public byte[] Name { get; } = name;

    public List<ClientConnection> Subscribers { get; } = [];

    /// <summary>The message without its payload; the type byte comes before.</summary>
    public ReadOnlySpan<byte> MessageHead => _head;

    private static byte[] Head(byte[] name)
    {
        var writer = new RespWriter(name.Length + 64);
        writer.WriteBulkString("message"u8);
        writer.WriteBulkString(name);
        return writer.Written.ToArray();
    }
}
