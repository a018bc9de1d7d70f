using System.Text.Json.Serialization;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>What became of all keys at the source, as the writer reports it when it has written them.</summary>
internal sealed record WriterReport(
    [property: JsonRequired] IReadOnlyList<WrittenKeys> Writers,
    [property: JsonRequired] IReadOnlyList<NeverSentKeys> NeverSent)
{
    public static WriterReport Of(KeySession session) => new(
        [.. session.KeyWriters.Select(writer => new WrittenKeys(writer.Asked, writer.Unsent, writer.Refused))],
        NeverSentKeys.Of(session));

    public bool IsOf(int writers) => Writers.Count == writers
        && Writers.All(writer => writer is { Asked: >= 0, Unsent: >= 0, Refused: >= 0 });

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
}

/// <summary>Keys of a writer's connection, one after the other, that were due and are not at the source.</summary>
internal readonly record struct NeverSentKeys(
    [property: JsonRequired] int Writer, [property: JsonRequired] long First, [property: JsonRequired] long Count)
{
    // A source that refuses every other key would make the key that reports it large.
    private const int Most = 1_000;

    public bool Contains(int writer, long ordinal) => writer == Writer && ordinal >= First && ordinal < First + Count;

    public static IReadOnlyList<NeverSentKeys> Of(KeySession session)
    {
        var found = new List<NeverSentKeys>();
        for (var writer = 0; writer < session.Writers.Count; writer++)
        {
            for (long ordinal = 0; ordinal < session.KeyWriters[writer].Asked && found.Count < Most; ordinal++)
            {
                // Refused or unsent: a mark in place of the time at which it was sent.
                if (session.Ledger.SentOf(writer + (ordinal * session.Writers.Count)) >= 0)
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
