using System.Globalization;
using RedisLatency.Redis.Connections;

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
