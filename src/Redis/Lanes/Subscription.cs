using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Transports;

namespace RedisLatency.Redis.Lanes;

/// <summary>Subscribes a connection and waits until the server has confirmed every channel.</summary>
internal static class Subscription
{
    public static void Confirm(RedisConnection connection, IReadOnlyList<string> channels)
    {
        var writer = new RespWriter();
        writer.WriteRequest(["SUBSCRIBE", .. channels]);
        connection.Transport.Send(writer.Written);
        var deadline = TimestampSpan.FromNow(connection.CommandTimeout);
        var confirmed = 0;
        while (confirmed < channels.Count)
        {
            // Messages that come before the last channel is confirmed belong to nobody yet.
            var reply = connection.ReadAny(deadline);
            if (reply.IsError)
                throw Refused(connection, channels, new RedisServerException(RespValue.From(ref reply).Text));
            if (reply.Type is RespType.Push or RespType.Array && reply.Number == 3 && reply.MoveNext()
                && reply.Content.SequenceEqual("subscribe"u8))
                confirmed++;
        }
    }

    private static RedisException Refused(
        RedisConnection connection, IReadOnlyList<string> channels, RedisServerException error)
    {
        if (error.Code != "NOPERM")
            return error;
        var user = connection.Endpoint.User ?? "default";
        return new RedisConnectException(
            ConnectFailure.NotPermitted,
            $"{connection.Endpoint}: user '{user}' may not subscribe; to allow it: ACL SETUSER {user} +subscribe "
            + $"{string.Join(' ', channels.Select(channel => $"&{channel}"))} (the server says: {error.Message})",
            error);
    }
}
