using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Merging;

/// <summary>Adds counts and rates: what one part does not know, the whole does not know either.</summary>
internal static class MergedCounts
{
    public static MessageCounts Sum(MessageCounts a, MessageCounts b) => new()
    {
        Asked = Sum(a.Asked, b.Asked),
        Sent = Sum(a.Sent, b.Sent),
        Unsent = Sum(a.Unsent, b.Unsent),
        Owed = Sum(a.Owed, b.Owed),
        Received = Sum(a.Received, b.Received),
        Echoed = Sum(a.Echoed, b.Echoed),
        Kept = Sum(a.Kept, b.Kept),
        Returned = Sum(a.Returned, b.Returned),
        Lost = Sum(a.Lost, b.Lost),
        Duplicated = Sum(a.Duplicated, b.Duplicated),
        Reordered = Sum(a.Reordered, b.Reordered),
        Late = Sum(a.Late, b.Late),
        Wrong = Sum(a.Wrong, b.Wrong),
        Foreign = Sum(a.Foreign, b.Foreign),
        Corrupted = Sum(a.Corrupted, b.Corrupted),
        InFlightLimitHits = Sum(a.InFlightLimitHits, b.InFlightLimitHits),
    };

    public static MessageRates Sum(MessageRates a, MessageRates b) => new()
    {
        Asked = a.Asked + b.Asked,
        Achieved = a.Achieved + b.Achieved,
        Bytes = a.Bytes + b.Bytes,
    };

    public static IReadOnlyDictionary<string, long> Sum(
        IReadOnlyDictionary<string, long> a, IReadOnlyDictionary<string, long> b) =>
        a.Concat(b).GroupBy(one => one.Key).ToDictionary(one => one.Key, one => one.Sum(count => count.Value));

    public static IReadOnlyDictionary<string, string> Firsts(
        IReadOnlyDictionary<string, string> a, IReadOnlyDictionary<string, string> b) =>
        a.Concat(b).DistinctBy(one => one.Key).ToDictionary();

    // Nobody counts so far; a file may say so.
    private static long? Sum(long? a, long? b) =>
        (Int128?)a + b is { } sum && sum == (long)sum ? (long)sum : null;
}
