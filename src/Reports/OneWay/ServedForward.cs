using System.Text.Json.Serialization;

namespace RedisLatency.Reports.OneWay;

/// <summary>
/// A consumer's own forward series: received − sent − θ, from the stamps that it took itself and the θ that each
/// producer told it, of all producers together. It is recorded apart from the producers' own.
/// </summary>
public sealed record ServedForward
{
    /// <summary>forward-intended and forward: from the intended send and from the actual one.</summary>
    public IReadOnlyList<OneWaySeries> Series { get; init; } = [];

    /// <summary>The series from the actual send; null where nothing was corrected.</summary>
    [JsonIgnore]
    public OneWaySeries? FromSent => Series is [.., var last] ? last : null;

    /// <summary>Messages that came whose θ was to follow.</summary>
    public required long Received { get; init; }

    /// <summary>
    /// How many of them are not in the series: no θ was told for their time before the end, their stamps cannot be, or
    /// there was no room to keep them.
    /// </summary>
    public long NotCorrected { get; init; }

    /// <summary>How many of these came from more producers than are measured at a time.</summary>
    public long Unserved { get; init; }

    /// <summary>How many of these came faster than they were taken.</summary>
    public long Overflowed { get; init; }

    /// <summary>Each producer's share, the latest thousand.</summary>
    public IReadOnlyList<ServedForwardProducer> Producers { get; init; } = [];
}
