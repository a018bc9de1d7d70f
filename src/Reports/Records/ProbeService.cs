namespace RedisLatency.Reports.Records;

/// <summary>One way in which a process could be asked for its time, and what came by it.</summary>
public sealed record ProbeService
{
    /// <summary>udp or redis.</summary>
    public required string Lane { get; init; }

    /// <summary>Where it was asked.</summary>
    public required string Address { get; init; }

    /// <summary>Questions that were answered.</summary>
    public required long Answered { get; init; }

    /// <summary>Datagrams of another length; not answered, as all that follow.</summary>
    public long WrongSize { get; init; }

    /// <summary>Datagrams of another protocol or run.</summary>
    public long Foreign { get; init; }

    /// <summary>Datagrams of another version of the protocol.</summary>
    public long OtherVersion { get; init; }

    /// <summary>Questions to another member of the run.</summary>
    public long ForAnother { get; init; }

    /// <summary>Questions without the run's key.</summary>
    public long Unauthenticated { get; init; }

    /// <summary>Questions that had come before.</summary>
    public long Repeated { get; init; }

    /// <summary>Questions beyond the rate.</summary>
    public long OverRate { get; init; }

    /// <summary>Answers that could not be sent.</summary>
    public long Unsent { get; init; }

    /// <summary>What was wrong with it at the end, or why it could not be had; null where nothing was.</summary>
    public string? Problem { get; init; }
}
