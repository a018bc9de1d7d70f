using RedisLatency.Redis;
using RedisLatency.Redis.Transports;

namespace RedisLatency.Workloads.Engine;

/// <content>Connections that speak TLS: the loop moves records, the replies are in what they hold.</content>
internal sealed partial class LoadWorker
{
    private const int PlainLength = 32 << 10;

    private byte[]? _plain;

    private void ReceivedRecords(LoadConnection connection, TlsSession tls, ReadOnlySpan<byte> records)
    {
        _plain ??= GC.AllocateUninitializedArray<byte>(PlainLength);
        tls.Received(records);
        try
        {
            // A reply may break the connection, which ends its session.
            while (connection.Tls == tls && tls.Read(_plain) is > 0 and var count)
                ReceivedPlain(connection, _plain.AsSpan(0, count));
        }
        catch (RedisException problem)
        {
            Break(connection, problem.Message);
            return;
        }

        // The session has something to say of its own, such as new keys.
        if (connection.Tls == tls)
            SendRecords(connection, tls);
    }

    private void SendRecords(LoadConnection connection, TlsSession tls)
    {
        if (tls.ToSend.IsEmpty)
            return;
        _loop.Send(connection.Token, tls.ToSend);
        tls.Sent();
    }
}
