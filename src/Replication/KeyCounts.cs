using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication;

internal readonly record struct KeyCounts(
    long Asked, long Unsent, long Refused, long Unanswered, long Read, long Overwritten, long Missing)
{
    public long Sent => Asked - Unsent;

    public long Unread => Sent - Refused - Read - Overwritten - Missing;

    public static KeyCounts operator +(KeyCounts one, KeyCounts other) => new(
        one.Asked + other.Asked,
        one.Unsent + other.Unsent,
        one.Refused + other.Refused,
        one.Unanswered + other.Unanswered,
        one.Read + other.Read,
        one.Overwritten + other.Overwritten,
        one.Missing + other.Missing);

    // By index: nothing is allocated.
    public static KeyCounts Sum<T>(IReadOnlyList<T> parts, Func<T, KeyCounts> countsOf)
    {
        var sum = default(KeyCounts);
        for (var i = 0; i < parts.Count; i++)
            sum += countsOf(parts[i]);
        return sum;
    }

    // Of keys that are written in this process, and not read here without a tally. Allocates nothing.
    public static KeyCounts Of(IReadOnlyList<KeyWriter> writers, DelayTally? tally = null)
    {
        var written = Sum(writers, one => new KeyCounts(one.Asked, one.Unsent, one.Refused, one.Unanswered, 0, 0, 0));
        return tally is null
            ? written
            : written with { Read = tally.Read, Overwritten = tally.Overwritten, Missing = tally.MissingCount };
    }
}
