using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Figures;

/// <summary>
/// A consumer's own forward series: received − sent − θ, from the stamps that it took itself and the θ that each
/// producer sent it, of all producers together. It is recorded apart from the producers' own.
/// </summary>
public sealed record ServedForward
{
    /// <summary>forward-intended and forward: from the intended send and from the actual one.</summary>
    public IReadOnlyList<OneWaySeries> Series { get; init; } = [];

    /// <summary>The series from the actual send; null where nothing was corrected.</summary>
    [JsonIgnore]
    public OneWaySeries? FromSent => Series is [.., var last] ? last : null;

    /// <summary>Whether E is not proven in a window that a producer told: one way is not valid then.</summary>
    [JsonIgnore]
    public bool IsUnproven => Producers.Any(producer => producer.UnprovenWindows > 0);

    /// <summary>Each producer's share, the latest thousand.</summary>
    public IReadOnlyList<ServedForwardProducer> Producers { get; init; } = [];
}

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

    /// <summary>
    /// In how many of the windows of θ that it told E is not proven: its own result says why, and that one way is not
    /// valid.
    /// </summary>
    public long UnprovenWindows { get; init; }
}
