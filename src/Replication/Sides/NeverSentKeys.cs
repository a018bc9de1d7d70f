using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

/// <summary>Keys of a writer's connection, one after the other, that were due and are not at the source.</summary>
/// <param name="Writer">Which connection.</param>
/// <param name="First">The first of them, counted over that connection's keys.</param>
/// <param name="Count">How many.</param>
internal readonly record struct NeverSentKeys(int Writer, long First, long Count)
{
    // A source that refuses every other key would make the key that tells of it large.
    private const int Most = 1_000;

    /// <summary>Whether a key of that connection is one of them.</summary>
    public bool Contains(int writer, long ordinal) => writer == Writer && ordinal >= First && ordinal < First + Count;

    /// <summary>Those of a session that has ended: the first thousand stretches of them.</summary>
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
                if (found.Count > 0 && found[^1] is var last && last.Writer == writer && last.First + last.Count == ordinal)
                    found[^1] = last with { Count = last.Count + 1 };
                else
                    found.Add(new NeverSentKeys(writer, ordinal, 1));
            }
        }

        return found;
    }
}
