namespace RedisLatency.Fleet.Meeting;

/// <summary>What a member tells the others.</summary>
/// <param name="Kind">One of the words of this type.</param>
/// <param name="Member">Of whom, by its place; -1 of a process that has none.</param>
/// <param name="Instance">What that process is called.</param>
/// <param name="Text">Why, in words.</param>
public sealed record FleetEvent(string Kind, int Member, string Instance, string Text)
{
    /// <summary>A member failed: all end.</summary>
    public const string Failed = "failed";

    /// <summary>A member's lease ran out.</summary>
    public const string Dead = "dead";

    /// <summary>A member was stopped by a signal.</summary>
    public const string Stopped = "stopped";

    /// <summary>A process was not let in.</summary>
    public const string Refused = "refused";
}
