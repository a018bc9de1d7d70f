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
