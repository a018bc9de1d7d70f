using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Probe;

internal sealed record PushSubscription(ReadingKind Kind, string Prefix, int Database, string Among)
{
    private readonly byte[] _prefix = Encoding.ASCII.GetBytes(Prefix);

    private string[] Words => Kind switch
    {
        ReadingKind.Tracking => ["CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", Prefix],
        _ => ["PSUBSCRIBE", Pattern(Prefix)],
    };

    public void Begin(RedisPipeline pipeline)
    {
        try
        {
            pipeline.Ask(Words);
        }
        catch (RedisServerException refusal) when (refusal.Code == "NOPERM")
        {
            if (Kind == ReadingKind.Notifications)
                BeginAmongAll(pipeline);
            else
                throw new RedisServerException(refusal.Reply, $"{string.Join(' ', Words)} is refused: {refusal.Reply}");
        }
    }

    public void Read(ref RespCursor push, List<long> pushed)
    {
        if (push.Type is not (RespType.Push or RespType.Array))
            return;
        var parts = push.Number;
        push.MoveNext();
        switch (Kind)
        {
            case ReadingKind.Tracking when parts == 2 && push.Content.SequenceEqual("invalidate"u8):
                push.MoveNext();
                for (var left = push.Children; left > 0 && push.MoveNext(); left--)
                    Add(push.Content, pushed);
                break;
            case ReadingKind.Notifications when parts == 4 && push.Content.SequenceEqual("pmessage"u8):
                push.MoveNext();
                push.MoveNext();
                var channel = push.Content;
                push.MoveNext();
                if (push.Content.SequenceEqual("set"u8))
                    Add(channel[(channel.IndexOf((byte)':') + 1)..], pushed);
                break;
            default:
                break;
        }
    }

    // Users are allowed patterns word for word, and nobody can name that of a session beforehand.
    private void BeginAmongAll(RedisPipeline pipeline)
    {
        var pattern = Pattern($"{Among}:");
        try
        {
            pipeline.Ask("PSUBSCRIBE", pattern);
        }
        catch (RedisServerException refusal)
        {
            throw new RedisServerException(
                refusal.Reply,
                $"PSUBSCRIBE {pattern} is refused: {refusal.Reply}. The user needs +psubscribe and &{pattern}, word "
                    + "for word.");
        }
    }

    private string Pattern(string begin) =>
        string.Create(CultureInfo.InvariantCulture, $"__keyspace@{Database}__:{Escape(begin)}*");

    // Written with a wildcard's letters, a prefix would match others'.
    private static string Escape(string text) => string.Concat(
        text.Select(c => c is '*' or '?' or '[' or ']' or '\\' or '^' ? $"\\{c}" : $"{c}"));

    private void Add(ReadOnlySpan<byte> key, List<long> pushed)
    {
        if (key.StartsWith(_prefix) && Utf8Parser.TryParse(key[_prefix.Length..], out long number, out var read)
            && read == key.Length - _prefix.Length)
        {
            pushed.Add(number);
        }
    }
}

internal static class PushChoice
{
    public static ReadingKind Decide(Reading wanted, IReadOnlyList<ResolvedTarget> servers, string prefix)
    {
        if (wanted == Reading.Polling)
            return ReadingKind.Polling;
        if (Find(servers, control => WhyNoTracking(control, prefix)) is not var (server, noTracking))
            return ReadingKind.Tracking;
        if (Find(servers, WhyNoNotifications) is not var (_, noNotifications))
            return ReadingKind.Notifications;
        throw new RunRefusedException(
            $"--reading push: {server.Name} pushes nothing of its keys. {noTracking} {noNotifications}");
    }

    public static string NameOf(ReadingKind kind) => kind switch
    {
        ReadingKind.Tracking => "push (client tracking)",
        ReadingKind.Notifications => "push (keyspace notifications)",
        _ => "polling",
    };

    // The first server that does not allow it, and why; null where all do.
    private static (ResolvedTarget Server, string Reason)? Find(
        IReadOnlyList<ResolvedTarget> servers, Func<RedisConnection, string?> whyNot)
    {
        foreach (var server in servers)
        {
            using var control = server.OpenControl();
            if (whyNot(control) is { } reason)
                return (server, reason);
        }

        return null;
    }

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
            : $"Keyspace notifications of strings are off there: notify-keyspace-events is '{flags}'. Set it to K$ in "
                + "its configuration, or take --reading polling.";
    }
}

internal enum Reading
{
    Polling,
    Push,
}

internal enum ReadingKind
{
    Polling,
    Tracking,
    Notifications,
}
