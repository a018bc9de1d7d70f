namespace RedisLatency.Reports.Figures;

/// <summary>
/// The way of messages from one region to another, as the process that sent them measured it. Times in nanoseconds.
/// </summary>
public sealed record RegionWay
{
    /// <summary>The region that they were sent from.</summary>
    public required string From { get; init; }

    /// <summary>The region that they were sent to; where that was not said, what the consumer called itself.</summary>
    public required string To { get; init; }

    /// <summary>Who sent them, as a consumer of that process would be called: its instance and region.</summary>
    public required string Producer { get; init; }

    /// <summary>Who had them, as it called itself.</summary>
    public required string Consumer { get; init; }

    /// <summary>Whether the run of the sender was partial, doubtful or not valid.</summary>
    public bool IsInDoubt { get; init; }

    /// <summary>How good the one-way latency is.</summary>
    public required OneWayGrade Grade { get; init; }

    /// <summary>
    /// One way: from the intended send where there was a schedule; null where nothing came, or of grade F.
    /// </summary>
    public OneWaySeries? Forward { get; init; }

    /// <summary>The means of both ways and of the round trip; null without messages.</summary>
    public MeanCheck? Check { get; init; }

    /// <summary>How differently the two ways took; null without messages, and where any is missing.</summary>
    public PathAsymmetry? Asymmetry { get; init; }

    /// <summary>What is known of the offset of the two clocks; null where nothing is.</summary>
    public PairOffset? Offset { get; init; }
}
