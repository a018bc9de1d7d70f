using RedisLatency.Messaging.Sending;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.OneWay;

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
        Owed = senders.Sum(sender => sender.Owed),
        Lost = senders.Sum(LostOf),
        Late = Sum(senders, counts => counts.Late),
        Duplicated = Sum(senders, counts => counts.Duplicated),
        Reordered = Sum(senders, counts => counts.Reordered),
        Wrong = Sum(senders, counts => counts.Wrong),
        Corrupted = Sum(senders, counts => counts.Corrupted),
        Foreign = Sum(senders, counts => counts.Foreign),
        InFlightLimitHits = Sum(senders, counts => counts.LimitHits),
    };

    /// <summary>
    /// The counts where nothing is sent back: what arrived is what the consumers say, each message once for each of
    /// them; not known where one does not say.
    /// </summary>
    public static MessageCounts WithoutEcho(IReadOnlyList<StreamSender> senders, IReadOnlyList<OneWayPair> pairs)
    {
        var sent = Sum(senders, counts => counts.Sent);
        var isKnown = pairs.Count > 0 && pairs.All(pair => pair.ConsumerSeries is not null);
        return new MessageCounts
        {
            Asked = Sum(senders, counts => counts.Asked),
            Sent = sent,
            Unsent = Sum(senders, counts => counts.Unsent),
            Received = isKnown ? pairs.Sum(pair => pair.ConsumerSeries!.Received) : null,
            Lost = isKnown ? pairs.Sum(pair => Math.Max(0, sent - pair.ConsumerSeries!.Received)) : null,
            Foreign = Sum(senders, counts => counts.Foreign),
        };
    }

    /// <summary>
    /// Round trips that there would be had all that was asked for been sent and answered by everybody who was there.
    /// </summary>
    public static long Due(IReadOnlyList<StreamSender> senders) =>
        senders.Sum(sender => sender.Owed + (sender.Counts.Unsent * Math.Max(1, sender.Ledgers.Count)));

    /// <summary>The same of one consumer; where nothing is sent back, of anyone.</summary>
    public static long Due(IReadOnlyList<StreamSender> senders, ulong consumer) => senders.Sum(sender =>
        sender.Ledgers.FirstOrDefault(ledger => ledger.Consumer == consumer) is { } own
            ? Math.Max(0, sender.Counts.Asked - own.FirstSequence)
            : sender.Ledgers.Count == 0 ? sender.Counts.Asked : 0);

    // A wrong answer in the closed loop is the answer of a message, which is then not lost.
    private static long LostOf(StreamSender sender)
    {
        var missing = sender.Ledgers.Sum(ledger => ledger.Count(sender.Counts.Sent).Lost);
        return sender.IsClosedLoop ? missing - Math.Min(missing, sender.Counts.Wrong) : missing;
    }

    private static long Sum(IReadOnlyList<StreamSender> senders, Func<StreamCounts, long> count) =>
        senders.Sum(sender => count(sender.Counts));
}
