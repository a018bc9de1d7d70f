namespace RedisLatency.Metrics.Sequences;

/// <summary>What became of the messages of one producer, stream and consumer.</summary>
/// <remarks>
/// Every message that was sent is exactly one of three:
/// <c>Sent = ReceivedInTime + Late + Lost</c>. The other counts are beside that sum.
/// </remarks>
/// <param name="Sent">Messages sent, as the sender says.</param>
/// <param name="ReceivedInTime">Of these, came at least once, first before the receive deadline.</param>
/// <param name="Late">Of these, came at least once, but first after the receive deadline: late is not lost.</param>
/// <param name="Lost">Of these, never came.</param>
/// <param name="Duplicated">Arrivals beyond the first of the same sequence number.</param>
/// <param name="Reordered">First arrivals below the highest sequence number that had come (RFC 4737).</param>
/// <param name="Refused">Arrivals that were not counted, because no sender can have sent that number yet.</param>
/// <param name="BeyondSent">Numbers that came though the sender says that it did not go so far.</param>
public readonly record struct SequenceCounts(
    long Sent,
    long ReceivedInTime,
    long Late,
    long Lost,
    long Duplicated,
    long Reordered,
    long Refused,
    long BeyondSent)
{
    /// <summary>Of the messages sent, came at least once, in time or not.</summary>
    public long Received => ReceivedInTime + Late;
}
