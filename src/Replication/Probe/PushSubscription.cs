using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// What a connection has to ask for so that it is told of a session's keys, and which key it was told of.
/// </summary>
internal sealed record PushSubscription(ReadingKind Kind, string Prefix, int Database, string Among)
{
    private readonly byte[] _prefix = Encoding.ASCII.GetBytes(Prefix);

    public string Channel => ChannelOf(Prefix);

    public static string ChannelOf(string prefix) => $"{prefix}published";

    private string[] Words => Kind switch
    {
        ReadingKind.Tracking => ["CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", Prefix],
        ReadingKind.Notifications => ["PSUBSCRIBE", Pattern(Prefix)],
        _ => ["SUBSCRIBE", Channel],
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

    public void Read(ref RespCursor push, List<PushedKey> pushed)
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
            case ReadingKind.Publish when parts == 3 && push.Content.SequenceEqual("message"u8):
                push.MoveNext();
                push.MoveNext();
                if (ProbeValue.TryRead(push.Content, out _, out var sequence, out var intended, out var sent))
                    pushed.Add(new PushedKey(sequence, intended, sent));
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
                $"PSUBSCRIBE {pattern} is refused: {refusal.Reply}. The user needs +psubscribe and &{pattern}, word for "
                    + "word.");
        }
    }

    private string Pattern(string begin) =>
        string.Create(CultureInfo.InvariantCulture, $"__keyspace@{Database}__:{Escape(begin)}*");

    // Written with a wildcard's letters, a prefix would match others'.
    private static string Escape(string text) => string.Concat(
        text.Select(c => c is '*' or '?' or '[' or ']' or '\\' or '^' ? $"\\{c}" : $"{c}"));

    private void Add(ReadOnlySpan<byte> key, List<PushedKey> pushed)
    {
        if (key.StartsWith(_prefix) && Utf8Parser.TryParse(key[_prefix.Length..], out long number, out var read)
            && read == key.Length - _prefix.Length)
        {
            pushed.Add(new PushedKey(number));
        }
    }
}

internal readonly record struct PushedKey(long Number, long IntendedNs = 0, long SentNs = 0);
