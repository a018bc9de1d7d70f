using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.OneWay;

/// <summary>
/// The consumer's own forward series, recorded there as messages came and corrected by the θ that it was told, beside
/// the producer's. Times in nanoseconds.
/// </summary>
public sealed record ConsumerComparison
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

    /// <summary>How many messages the producer counted; null where nothing was echoed to count.</summary>
    public long? ProducerCount { get; init; }

    /// <summary>The mean by the producer; null likewise.</summary>
    public double? ProducerMeanNs { get; init => field = FiniteNumber.OrNull(value); }
}
