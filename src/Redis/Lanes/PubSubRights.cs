using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Lanes;

/// <summary>
/// Finds out whether a connection's user may publish and subscribe, without publishing anything: subscribing is
/// tried and taken back; a PUBLISH is queued in a transaction, where the server checks rights at once (since 6.2),
/// and the transaction is discarded.
/// </summary>
public static class PubSubRights
{
    /// <summary>Checks every channel. The connection is afterwards as it was.</summary>
    /// <exception cref="RedisConnectionLostException">The connection is gone.</exception>
    /// <exception cref="RedisTimeoutException">No reply came in time.</exception>
    public static RightsFinding Check(
        RedisConnection connection, IReadOnlyList<string> publishChannels, IReadOnlyList<string> subscribeChannels)
    {
        var missing = new List<string>();
        var unknown = new List<string>();
        var rules = new List<string>();
        foreach (var channel in publishChannels)
            Note("publish", channel, QueuePublish(connection, channel), missing, unknown, rules);
        foreach (var channel in subscribeChannels)
            Note("subscribe", channel, Subscription.Try(connection, channel), missing, unknown, rules);
        var user = connection.Request("ACL", "WHOAMI") is { IsError: false } known
            ? known.Text
            : connection.Endpoint.User ?? AclLine.DefaultUser;
        return new RightsFinding(user, missing, unknown, rules.Count == 0 ? null : AclLine.For(user, rules));
    }

    private static string? QueuePublish(RedisConnection connection, string channel)
    {
        if (connection.Request("MULTI") is { IsError: true } noTransaction)
            return $"? {noTransaction.Text}";
        var queued = connection.Request("PUBLISH", channel, string.Empty);
        connection.Request("DISCARD");
        return queued.IsError ? queued.Text : null;
    }

    private static void Note(
        string command, string channel, string? error, List<string> missing, List<string> unknown, List<string> rules)
    {
        if (error is null)
            return;
        if (!error.StartsWith("NOPERM", StringComparison.Ordinal))
        {
            unknown.Add($"whether the user may {command} on '{channel}': {error.TrimStart('?', ' ')}");
            return;
        }

        var sentence = AclLine.IsAboutCommand(error)
            ? $"the command {command.ToUpper(CultureInfo.InvariantCulture)}"
            : $"the channel '{channel}' to {command}";
        if (!missing.Contains(sentence))
            missing.Add(sentence);
        rules.AddRange(AclLine.RulesAgainst(error, command, [channel]));
    }
}

/// <summary>Whether a user may do what a publish/subscribe run needs.</summary>
/// <param name="User">Who the connection is logged in as.</param>
/// <param name="Missing">What is not allowed, one sentence each; empty when everything is.</param>
/// <param name="Unknown">What could not be found out without doing it, one sentence each.</param>
/// <param name="AclLine">The line to give the server so that nothing is missing, or null.</param>
public sealed record RightsFinding(
    string User, IReadOnlyList<string> Missing, IReadOnlyList<string> Unknown, string? AclLine)
{
    /// <summary>Whether nothing is known to be missing.</summary>
    public bool IsSufficient => Missing.Count == 0;

    /// <summary>What is missing and the line that gives it, as one sentence; where something is.</summary>
    public string Complaint => $"user '{User}' lacks {string.Join(" and ", Missing)}; to allow it: {AclLine}";
}

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
