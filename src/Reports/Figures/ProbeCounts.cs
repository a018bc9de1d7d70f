namespace RedisLatency.Reports.Figures;

/// <summary>The clock probes of a pair: four stamps each, of an echoed message or of a probe of its own.</summary>
public sealed record ProbeCounts
{
    /// <summary>What carried them: echo, redis, or udp and the address.</summary>
    public IReadOnlyList<string> Lanes { get; init; } = [];

    /// <summary>Echoed messages that were taken for probes.</summary>
    public long Echoes { get; init; }

    /// <summary>Probes that were sent beside the messages.</summary>
    public long Sent { get; init; }

    /// <summary>Answers to these.</summary>
    public long Answered { get; init; }

    /// <summary>Answers that were not authentic, not asked for, or malformed: none was used.</summary>
    public long Refused { get; init; }

    /// <summary>The share of coded pairs that met an empty queue, 0 to 1; null where none was sent.</summary>
    public double? AcceptedShare { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Probes whose stamps cannot be, such as an echo before its receipt: none was used.</summary>
    public long Impossible { get; init; }

    /// <summary>Probes that contradict the others under the assumptions.</summary>
    public long Contradicting { get; init; }

    /// <summary>
    /// The smallest round trip of a probe less the residence, in nanoseconds; where a probe that bounds nothing was
    /// quicker with its residence, that.
    /// </summary>
    public long? MinNetworkNs { get; init; }

    /// <summary>Why a lane that was asked for brought nothing.</summary>
    public string? Problem { get; init; }
}
