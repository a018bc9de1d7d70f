namespace RedisLatency.Metrics.Sequences;

/// <summary>
/// What the arrival of a sequence number was. One that came for the first time is <see cref="First"/>, and may be
/// <see cref="Reordered"/>, <see cref="Late"/> or both besides; the other two stand alone.
/// </summary>
[Flags]
public enum SequenceArrival
{
    None = 0,

    /// <summary>It came for the first time.</summary>
    First = 1,

    /// <summary>It came for the first time, after a higher one had come.</summary>
    Reordered = 2,

    /// <summary>It came for the first time, after its receive deadline.</summary>
    Late = 4,

    /// <summary>It had come before, in time or late.</summary>
    Duplicate = 8,

    /// <summary>No sender can have sent it yet: below the first, beyond what was sent, or absurdly far ahead.</summary>
    Refused = 16,
}
