using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Lanes;

internal static class Subscription
{
    public static void Confirm(RedisConnection connection, IReadOnlyList<string> channels)
    {
        if (Ask(connection, "SUBSCRIBE", "subscribe"u8, channels) is { } error)
            throw Refused(connection, channels, new RedisServerException(error));
    }

    /// <returns>The server's error, or null when it let us.</returns>
    public static string? Try(RedisConnection connection, string channel)
    {
        var error = Ask(connection, "SUBSCRIBE", "subscribe"u8, [channel]);
        if (error is null)
            Ask(connection, "UNSUBSCRIBE", "unsubscribe"u8, [channel]);
        return error;
    }

    private static string? Ask(
        RedisConnection connection, string command, ReadOnlySpan<byte> confirmation, IReadOnlyList<string> channels)
    {
        var writer = new RespWriter();
        writer.WriteRequest([command, .. channels]);
        connection.Transport.Send(writer.Written);
        var deadline = TimestampSpan.FromNow(connection.CommandTimeout);
        var confirmed = 0;
        while (confirmed < channels.Count)
        {
            // Messages that come before the last channel is confirmed belong to nobody yet.
            var reply = connection.ReadAny(deadline);
            if (reply.IsError)
                return RespValue.From(ref reply).Text;
            if (reply.Type is RespType.Push or RespType.Array && reply.Number == 3 && reply.MoveNext()
                && reply.Content.SequenceEqual(confirmation))
                confirmed++;
        }

        return null;
    }

    private static RedisException Refused(
        RedisConnection connection, IReadOnlyList<string> channels, RedisServerException error)
    {
        if (error.Code != "NOPERM")
            return error;
        var user = connection.Endpoint.User ?? AclLine.DefaultUser;
        var line = AclLine.For(user, AclLine.RulesAgainst(error.Message, "subscribe", channels));
        return new RedisConnectException(
            ConnectFailure.NotPermitted,
            $"{connection.Endpoint}: user '{user}' may not subscribe; to allow it: {line} "
            + $"(the server says: {error.Message})",
            error);
    }
}
