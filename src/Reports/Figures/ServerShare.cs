namespace RedisLatency.Reports.Figures;

/// <summary>
/// What was sent to one of several servers during a phase; what was sent again to it counts again, and what went into
/// the warm-up does not.
/// </summary>
public sealed record ServerShare
{
    /// <summary>Where it is.</summary>
    public required string Address { get; init; }

    /// <summary>primary or replica at the end; null where it has left the cluster or the service.</summary>
    public string? Role { get; init; }

    /// <summary>Operations that only read.</summary>
    public required long Reads { get; init; }

    /// <summary>All others.</summary>
    public required long Writes { get; init; }
}
