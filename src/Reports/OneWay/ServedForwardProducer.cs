using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.OneWay;

/// <summary>What one producer's messages took by a consumer's own stamps; times in nanoseconds.</summary>
public sealed record ServedForwardProducer
{
    /// <summary>Whose: <c>run/instance</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Messages that came, each once.</summary>
    public required long Received { get; init; }

    /// <summary>Those whose latency was measured: all that follows is of these.</summary>
    public required long Corrected { get; init; }

    /// <summary>The largest E of any: how far each value may be wrong, either way.</summary>
    public long ErrorNs { get; init; }

    /// <summary>The mean from the actual send.</summary>
    public double? MeanNs { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The smallest.</summary>
    public long? MinNs { get; init; }

    /// <summary>The largest.</summary>
    public long? MaxNs { get; init; }

    /// <summary>How many are negative.</summary>
    public long Negatives { get; init; }

    /// <summary>How many are negative by more than their E: then the θ that it told, or its E, is wrong.</summary>
    public long NegativesBeyondError { get; init; }

    /// <summary>Why messages could not be kept until θ was known; null where all could.</summary>
    public string? Failure { get; init; }
}
