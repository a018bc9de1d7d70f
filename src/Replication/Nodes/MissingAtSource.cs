using RedisLatency.Redis;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

/// <summary>Looks at the source for keys that did not come: one that was evicted there never could.</summary>
internal static class MissingAtSource
{
    // Beyond that the first ones tell enough.
    private const int MostAsked = 10_000;

    /// <summary>How many of the missing keys are not at the source either; null where it cannot be asked.</summary>
    public static long? Count(ulong session, KeyWay way, DelayTally tally)
    {
        if (tally.MissingCount == 0)
            return 0;
        try
        {
            using var control = way.Source.OpenControl();
            var key = new ProbeKey(way.Prefix, session);
            return tally.Missing.Take(MostAsked).Select(
                sequence => System.Text.Encoding.ASCII.GetString(key.Of(sequence)))
                .Chunk(500).Sum(chunk => chunk.Length - control.Execute(["EXISTS", .. chunk]).Number);
        }
        catch (RedisException)
        {
            return null;
        }
    }
}
