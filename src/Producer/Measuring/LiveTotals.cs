using RedisLatency.Messaging.Sending;

namespace RedisLatency.Producer.Measuring;

/// <summary>
/// The counts of all streams together, for the live view: taken every second, so nothing is allocated.
/// </summary>
internal readonly record struct LiveTotals(
    long Sent, long Unsent, long Returned, long Late, long Duplicated, long Reordered, long Errors, long InFlight,
    long ConnectionsLost)
{
    public long Asked => Sent + Unsent;

    /// <summary>
    /// Messages that were answered; with several consumers echoes, so that what is lost then shows late.
    /// </summary>
    public long Answered => Returned + Late;

    public static LiveTotals Of(IReadOnlyList<StreamSender> senders)
    {
        var total = default(LiveTotals);
        for (var i = 0; i < senders.Count; i++)
        {
            var counts = senders[i].Counts;

            // Read in this order: a message on its way counts twice rather than as lost.
            var sent = counts.Sent;
            var inFlight = counts.InFlight;
            total = new LiveTotals(
                total.Sent + sent,
                total.Unsent + counts.Unsent,
                total.Returned + counts.Returned,
                total.Late + counts.Late,
                total.Duplicated + counts.Duplicated,
                total.Reordered + counts.Reordered,
                total.Errors + counts.Wrong + counts.Corrupted,
                total.InFlight + inFlight,
                total.ConnectionsLost + counts.ConnectionsLost);
        }

        return total;
    }
}
