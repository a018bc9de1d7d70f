using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Records;

/// <summary>Whether a threshold held.</summary>
public sealed record ThresholdResult
{
    /// <summary>As it was asked for, such as rtt.p99&lt;2ms.</summary>
    public required string Expression { get; init; }

    /// <summary>What was measured, in the unit of the series; null where it could not be told.</summary>
    public double? Measured { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Whether it held; null where it could not be told, so that the run is not valid.</summary>
    public bool? Held { get; init; }

    /// <summary>Why it could not be told.</summary>
    public string? Reason { get; init; }
}
