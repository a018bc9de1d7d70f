using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Hosting.Live;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

internal sealed record WritingEnd(
    [property: JsonRequired] IReadOnlyList<WrittenKeys> Writers,
    [property: JsonRequired] IReadOnlyList<NeverSentKeys> NeverSent)
{
    public static string KeyOf(string prefix, ulong session) =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix}:{session:x16}:end");

    public bool IsWithdrawn(long sequence)
    {
        var (ordinal, writer) = (sequence / Writers.Count, (int)(sequence % Writers.Count));
        if (ordinal >= Writers[writer].Asked)
            return true;
        for (var i = 0; i < NeverSent.Count; i++)
        {
            if (NeverSent[i].Contains(writer, ordinal))
                return true;
        }

        return false;
    }

    public IEnumerable<WrittenKeys> Of(int shard, int shards) => Writers.Where((_, number) => number % shards == shard);

    public string Write() => JsonSerializer.Serialize(this, SidesJson.Default.WritingEnd);

    // Null where it is none, or not of so many connections.
    public static WritingEnd? Read(string? text, int writers)
    {
        try
        {
            return text is not null && JsonSerializer.Deserialize(text, SidesJson.Default.WritingEnd) is { } end
                && end.Writers.Count == writers
                && end.Writers.All(writer => writer is { Asked: >= 0, Unsent: >= 0, Refused: >= 0 })
                    ? end
                    : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

internal readonly record struct WrittenKeys(
    [property: JsonRequired] long Asked, [property: JsonRequired] long Unsent, [property: JsonRequired] long Refused);

/// <summary>Keys of a writer's connection, one after the other, that were due and are not at the source.</summary>
internal readonly record struct NeverSentKeys(
    [property: JsonRequired] int Writer, [property: JsonRequired] long First, [property: JsonRequired] long Count)
{
    // A source that refuses every other key would make the key that tells of it large.
    private const int Most = 1_000;

    public bool Contains(int writer, long ordinal) => writer == Writer && ordinal >= First && ordinal < First + Count;

    public static IReadOnlyList<NeverSentKeys> Of(WritingSession session)
    {
        var found = new List<NeverSentKeys>();
        for (var writer = 0; writer < session.Writers; writer++)
        {
            for (long ordinal = 0; ordinal < session.KeyWriters[writer].Asked && found.Count < Most; ordinal++)
            {
                // Refused or unsent: a mark in place of the time at which it was sent.
                if (session.Ledger.SentOf(writer + (ordinal * session.Writers)) >= 0)
                    continue;
                if (found.Count > 0 && found[^1] is var last && last.Writer == writer
                    && last.First + last.Count == ordinal)
                    found[^1] = last with { Count = last.Count + 1 };
                else
                    found.Add(new NeverSentKeys(writer, ordinal, 1));
            }
        }

        return found;
    }
}

/// <summary>Watches for what the writer tells at its end, on a thread and a connection of its own.</summary>
internal sealed class EndWatch : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private readonly KeyQuestions _questions;
    private readonly string _key;
    private readonly int _writers;
    private readonly Action<WritingEnd> _ended;
    private readonly ManualResetEvent _hasEnded = new(initialState: false);
    private readonly ReporterThread _thread;

    public EndWatch(KeyQuestions questions, string key, int writers, Action<WritingEnd> ended)
    {
        (_questions, _key, _writers, _ended) = (questions, key, writers, ended);
        _thread = new ReporterThread(Interval, _ => Look());
    }

    public WritingEnd? End { get; private set; }

    public void Wait(TimeSpan limit) => _hasEnded.WaitOne(limit);

    public void Dispose()
    {
        _thread.Dispose();
        _questions.Dispose();
        _hasEnded.Dispose();
    }

    private void Look()
    {
        if (End is not null)
            return;
        try
        {
            var seen = _questions.Request("GET", _key);
            if (seen.IsError || seen.IsNull || WritingEnd.Read(seen.Text, _writers) is not { } end)
                return;
            End = end;
            _ended(end);
            _hasEnded.Set();
        }
        catch (RedisException)
        {
            // The reader tells what is wrong there; this only looks again.
        }
    }
}
