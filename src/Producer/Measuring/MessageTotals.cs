using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Results.Records.Summaries;

namespace RedisLatency.Producer.Measuring;

/// <summary>The counts of all streams of a target together.</summary>
internal static class MessageTotals
{
    /// <summary>The counts at the end, when nothing is under way any more.</summary>
    public static MessageCounts Of(IReadOnlyList<StreamSender> senders) => new()
    {
        Asked = Sum(senders, counts => counts.Asked),
        Sent = Sum(senders, counts => counts.Sent),
        Unsent = Sum(senders, counts => counts.Unsent),
        Returned = Sum(senders, counts => counts.Returned),
        Lost = senders.Sum(LostOf),
        Late = Sum(senders, counts => counts.Late),
        Duplicated = Sum(senders, counts => counts.Duplicated),
        Reordered = Sum(senders, counts => counts.Reordered),
        Wrong = Sum(senders, counts => counts.Wrong),
        Corrupted = Sum(senders, counts => counts.Corrupted),
        Foreign = Sum(senders, counts => counts.Foreign),
        InFlightLimitHits = Sum(senders, counts => counts.LimitHits),
    };

    // A wrong answer in the closed loop is the answer of a message, which is then not lost.
    private static long LostOf(StreamSender sender)
    {
        var missing = sender.Ledgers.Sum(ledger => ledger.Count(sender.Counts.Sent).Lost);
        return sender.IsClosedLoop ? missing - Math.Min(missing, sender.Counts.Wrong) : missing;
    }

    private static long Sum(IReadOnlyList<StreamSender> senders, Func<StreamCounts, long> count) =>
        senders.Sum(sender => count(sender.Counts));
}
