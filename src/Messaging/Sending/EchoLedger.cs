using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Messaging.Sending;

/// <summary>
/// What one consumer has sent back of one stream: several consumers are several echoes, not duplicates.
/// </summary>
public sealed class EchoLedger
{
    internal EchoLedger(ulong consumer, long firstSequence)
    {
        Consumer = consumer;
        FirstSequence = firstSequence;
        Tracker = new SequenceTracker(firstSequence);
    }

    /// <summary>The consumer, as it signs its echoes; 0 where the payload has no signature.</summary>
    public ulong Consumer { get; }

    /// <summary>The first message that this consumer owes an echo of; above 0 where it came unexpected.</summary>
    public long FirstSequence { get; }

    internal SequenceTracker Tracker { get; }

    /// <summary>What became of the messages that were sent since this consumer was there.</summary>
    /// <param name="sent">How many messages the stream sent in all.</param>
    public SequenceCounts Count(long sent) => Tracker.Count(Math.Max(0, sent - FirstSequence));
}
