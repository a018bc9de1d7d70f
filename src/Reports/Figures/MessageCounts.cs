namespace RedisLatency.Reports.Figures;

/// <summary>
/// What became of the messages of the measured phase. A count that this role cannot know is null.
/// asked = sent + unsent, and owed = returned in time + late + lost: with one consumer as many echoes as were sent.
/// </summary>
public sealed record MessageCounts
{
    /// <summary>Due by the schedule.</summary>
    public long? Asked { get; init; }

    /// <summary>Sent.</summary>
    public long? Sent { get; init; }

    /// <summary>Due while there was no connection or no room in flight.</summary>
    public long? Unsent { get; init; }

    /// <summary>Echoes that were owed: every message that was sent, once for each consumer.</summary>
    public long? Owed { get; init; }

    /// <summary>Received at least once by this consumer.</summary>
    public long? Received { get; init; }

    /// <summary>Sent back by this consumer.</summary>
    public long? Echoed { get; init; }

    /// <summary>Taken by this consumer and, as the producer asked, not sent back.</summary>
    public long? Kept { get; init; }

    /// <summary>Came back to the producer before the receive deadline.</summary>
    public long? Returned { get; init; }

    /// <summary>Sent, and never seen again.</summary>
    public long? Lost { get; init; }

    /// <summary>Arrivals beyond the first of one message.</summary>
    public long? Duplicated { get; init; }

    /// <summary>First arrivals of a message after one that was sent later.</summary>
    public long? Reordered { get; init; }

    /// <summary>Came, but after the receive deadline.</summary>
    public long? Late { get; init; }

    /// <summary>Came back with another value than was sent.</summary>
    public long? Wrong { get; init; }

    /// <summary>Somebody else's messages on the same channel.</summary>
    public long? Foreign { get; init; }

    /// <summary>Damaged messages: the checksum or the frame did not hold.</summary>
    public long? Corrupted { get; init; }

    /// <summary>How often a message had to wait because too many were in flight.</summary>
    public long? InFlightLimitHits { get; init; }
}
