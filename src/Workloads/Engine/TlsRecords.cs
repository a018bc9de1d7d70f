using RedisLatency.Redis.Connections;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Workloads.Engine;

/// <summary>A worker's connections that speak TLS: the loop moves records, replies are in what they hold.</summary>
internal sealed class TlsRecords(StreamLoop loop)
{
    private const int PlainLength = 32 << 10;

    private byte[]? _plain;

    /// <summary>Takes the next bytes out of the records that have come; they are valid until the next call.</summary>
    /// <exception cref="Redis.RedisException">The records are none, or the session has ended.</exception>
    public bool TryRead(TlsSession session, out ReadOnlySpan<byte> plain)
    {
        _plain ??= GC.AllocateUninitializedArray<byte>(PlainLength);
        var count = session.Read(_plain);
        plain = _plain.AsSpan(0, Math.Max(count, 0));
        return count > 0;
    }

    /// <summary>Sends the session's records: of what was written, and of its own, such as new keys.</summary>
    public void Send(int token, TlsSession session)
    {
        if (session.ToSend.IsEmpty)
            return;
        loop.Send(token, session.ToSend);
        session.Sent();
    }
}
