using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Probe;

/// <summary>Which way of reading it is, by what is wanted and what the destination allows.</summary>
internal static class PushChoice
{
    public static ReadingKind Decide(ReadingKind wanted, IReadOnlyList<ResolvedTarget> destinations, string prefix)
    {
        var kinds = destinations.Select(destination => Decide(wanted, destination, prefix)).Distinct().ToList();
        return kinds.Count == 1 ? kinds[0]
            // Who sends no tracking was found to send notifications.
            : Decide(ReadingKind.Notifications, destinations, prefix);
    }

    public static ReadingKind Decide(ReadingKind wanted, ResolvedTarget destination, string prefix)
    {
        if (wanted is ReadingKind.Polling or ReadingKind.Publish)
            return wanted;
        using var control = destination.OpenControl();
        var noTracking = wanted == ReadingKind.Notifications ? null : WhyNoTracking(control, prefix);
        var noNotifications = wanted == ReadingKind.Tracking ? null : WhyNoNotifications(control);
        return wanted switch
        {
            ReadingKind.Tracking when noTracking is null => wanted,
            ReadingKind.Notifications when noNotifications is null => wanted,
            ReadingKind.Push when noTracking is null => ReadingKind.Tracking,
            ReadingKind.Push when noNotifications is null => ReadingKind.Notifications,
            _ => throw new RunRefusedException(
                $"--reading {wanted.ToString().ToLowerInvariant()}: {destination.Name} pushes nothing of its keys. "
                + string.Join(" ", new[] { noTracking, noNotifications }.Where(text => text is not null))),
        };
    }

    public static void RequireKeys(ReadingKind wanted)
    {
        if (wanted == ReadingKind.Publish)
        {
            throw new RunRefusedException(
                "--reading publish: in a cluster PUBLISH goes another way than keys, over the bus that joins all nodes, and "
                + "would say nothing of what is replicated.");
        }
    }

    public static string NameOf(ReadingKind kind) => kind switch
    {
        ReadingKind.Tracking => "push (client tracking)",
        ReadingKind.Notifications => "push (keyspace notifications)",
        ReadingKind.Publish => "push (PUBLISH through the link, no keys)",
        _ => "polling",
    };

    private static string? WhyNoTracking(RedisConnection control, string prefix)
    {
        if (control.Protocol < 3)
            return "Client tracking needs RESP3, which is not spoken here.";
        var reply = control.Request("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", prefix);
        return reply.IsError ? $"Client tracking is refused: {reply.Text}." : null;
    }

    private static string? WhyNoNotifications(RedisConnection control)
    {
        var reply = control.Request("CONFIG", "GET", "notify-keyspace-events");
        if (reply.IsError)
            return $"Whether keyspace notifications are on is not to be learned: {reply.Text}.";
        var flags = reply.Find("notify-keyspace-events")?.Text
            ?? (reply.Items.Count > 1 ? reply.Items[1].Text : string.Empty);
        return flags.Contains('K', StringComparison.Ordinal)
            && (flags.Contains('A', StringComparison.Ordinal) || flags.Contains('$', StringComparison.Ordinal))
            ? null
            : $"Keyspace notifications of strings are off there: notify-keyspace-events is '{flags}'. Set it to K$ in its "
                + "configuration, or take --reading polling.";
    }
}

internal enum ReadingKind
{
    Polling,
    Push,
    Tracking,
    Notifications,
    Publish,
}
