namespace RedisLatency.Metrics.Offsets;

/// <summary>What a claim about an offset rests on.</summary>
public enum OffsetClaimKind
{
    /// <summary>Both say that they read one clock. It does not age: one clock does not drift from itself.</summary>
    SameClock,

    /// <summary>Both hosts say how far their clocks are from UTC.</summary>
    Utc,

    /// <summary>The offsets of both to a third host.</summary>
    Mesh,
}
