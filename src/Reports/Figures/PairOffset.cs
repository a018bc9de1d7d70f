namespace RedisLatency.Reports.Figures;

/// <summary>What was found out about θ, the consumer's clock minus the producer's, in nanoseconds.</summary>
public sealed record PairOffset
{
    /// <summary>θ at the end of the run.</summary>
    public required long OffsetNs { get; init; }

    /// <summary>When that is, by the producer's monotonic clock.</summary>
    public required long AtNs { get; init; }

    /// <summary>The median of E over the windows.</summary>
    public required long ErrorMedianNs { get; init; }

    /// <summary>The largest E of the run.</summary>
    public required long ErrorWorstNs { get; init; }

    /// <summary>The drift of θ in parts per million, at the end of the run.</summary>
    public double? SkewPpm { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The least drift that the probes allow.</summary>
    public double? SkewLowPpm { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The greatest drift that the probes allow.</summary>
    public double? SkewHighPpm { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>How many windows there were.</summary>
    public required long Windows { get; init; }

    /// <summary>In how many of them all accepted claims agreed with the probes.</summary>
    public long ProvenWindows { get; init; }

    /// <summary>Of how many nothing is known, because no probe was in them: they are not proven either.</summary>
    public long UnboundedWindows { get; init; }

    /// <summary>In how many of them a claim contradicted the probes.</summary>
    public long ContradictedWindows { get; init; }

    /// <summary>How often a clock stepped.</summary>
    public int Steps { get; init; }

    /// <summary>Where θ was followed anew, the first ones.</summary>
    public IReadOnlyList<OffsetBreak> Breaks { get; init; } = [];
}

/// <summary>An instant across which θ is not followed.</summary>
/// <param name="AtNs">When, in nanoseconds of the producer's monotonic clock.</param>
/// <param name="Kind">step, rate-change, suspended or gap.</param>
/// <param name="StepNs">By how much θ changed, in nanoseconds; 0 where it is no step.</param>
public sealed record OffsetBreak(long AtNs, string Kind, long StepNs);

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

/// <summary>What somebody said of the clocks, and whether it was believed.</summary>
public sealed record ClockClaim
{
    /// <summary>Which: same clock, utc, …</summary>
    public required string Name { get; init; }

    /// <summary>On whose word: the hosts, and the source on each.</summary>
    public required string Source { get; init; }

    /// <summary>Whether θ was intersected with it. Refused, it changed nothing.</summary>
    public required bool IsAccepted { get; init; }

    /// <summary>Why, in either case.</summary>
    public required string Reason { get; init; }

    /// <summary>In how many windows the probes contradicted it; above 0 the grade is F.</summary>
    public long ContradictedWindows { get; init; }

    /// <summary>
    /// How far θ could have been off, in nanoseconds, without the probes refuting the claims; null where it was
    /// refused.
    /// </summary>
    public long? UnrefutedNs { get; init; }

    /// <summary>How wide it was: the half-width in nanoseconds; null where it gave none.</summary>
    public long? ErrorNs { get; init; }
}
