namespace RedisLatency.Reports.Figures;

/// <summary>
/// What a consumer that echoes nothing made of a producer's messages, corrected by the θ that it was told. Times in
/// nanoseconds.
/// </summary>
public sealed record ConsumerFigures
{
    /// <summary>How many messages came to the consumer.</summary>
    public required long Received { get; init; }

    /// <summary>How many of them the consumer measured.</summary>
    public required long Count { get; init; }

    /// <summary>The mean by the consumer.</summary>
    public double? MeanNs { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The smallest by the consumer.</summary>
    public long? MinNs { get; init; }

    /// <summary>The largest by the consumer.</summary>
    public long? MaxNs { get; init; }

    /// <summary>Negative ones by the consumer.</summary>
    public long Negatives { get; init; }
}
