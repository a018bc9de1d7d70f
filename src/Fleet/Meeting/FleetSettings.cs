namespace RedisLatency.Fleet.Meeting;

/// <summary>What a member says of itself and of its run.</summary>
public sealed record FleetSettings
{
    /// <summary>The run's name, the same in all members.</summary>
    public required string Run { get; init; }

    /// <summary>What this member does: <c>load</c>.</summary>
    public required string Role { get; init; }

    /// <summary>Who the members are, the same in all of them.</summary>
    public required FleetRoster Roster { get; init; }

    /// <summary>Which member of its role this is, from 0; null to take one that is free.</summary>
    public int? Index { get; init; }

    /// <summary>What others call this process.</summary>
    public required string Instance { get; init; }

    /// <summary>The suite's version: members of one run have one.</summary>
    public required string Version { get; init; }

    /// <summary>Whether it sends what it measures while it measures.</summary>
    public bool IsStreamed { get; init; }

    /// <summary>How long to wait until all are there.</summary>
    public required TimeSpan Timeout { get; init; }
}
