namespace RedisLatency.Reports.Figures;

/// <summary>
/// What the servers counted of one command during a phase, all together: INFO commandstats and LATENCY HISTOGRAM.
/// </summary>
public sealed record ServerCommandUse
{
    /// <summary>The command.</summary>
    public required string Command { get; init; }

    /// <summary>Times that it was executed.</summary>
    public required long Calls { get; init; }

    /// <summary>Times that it was refused before it was executed; null before Redis 6.2.</summary>
    public long? Rejected { get; init; }

    /// <summary>Times that it failed when executed; null before Redis 6.2.</summary>
    public long? Failed { get; init; }

    /// <summary>Microseconds of the server's time for each call.</summary>
    public double? MeanMicroseconds { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Half of the calls took at most so many microseconds, a power of two; null before Redis 7.</summary>
    public long? P50Microseconds { get; init; }

    /// <summary>99 of 100 calls took at most so many microseconds, a power of two; null before Redis 7.</summary>
    public long? P99Microseconds { get; init; }
}
