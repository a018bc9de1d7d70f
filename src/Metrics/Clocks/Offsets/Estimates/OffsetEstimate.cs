using RedisLatency.Metrics.Clocks.Offsets.Envelopes;

namespace RedisLatency.Metrics.Clocks.Offsets.Estimates;

/// <summary>What the offset may be at three instants of a window, from the tracker's base; and how fast it moves.</summary>
internal readonly record struct OffsetEstimate(
    OffsetInterval AtStart,
    OffsetInterval AtReference,
    OffsetInterval AtEnd,
    double SlopePpm,
    double SlopeLowPpm,
    double SlopeHighPpm,
    double DriftPpm)
{
    /// <summary>Whether all probes can be true at once.</summary>
    public bool IsEmpty => AtStart.IsEmpty || AtReference.IsEmpty || AtEnd.IsEmpty;

    /// <summary>Whether the two clocks may have run at one rate.</summary>
    public bool AllowsOneRate => SlopeLowPpm <= 0 && SlopeHighPpm >= 0;

    /// <summary>The same, given that the two clocks are one, which does not drift against itself.</summary>
    public OffsetEstimate AtOneRate() => this with { SlopePpm = 0, SlopeLowPpm = 0, SlopeHighPpm = 0, DriftPpm = 0 };

    public OffsetEstimate Intersect(in OffsetEstimate other) => this with
    {
        AtStart = AtStart.Intersect(other.AtStart),
        AtReference = AtReference.Intersect(other.AtReference),
        AtEnd = AtEnd.Intersect(other.AtEnd),
    };

    public OffsetEstimate Ordered() => this with
    {
        AtStart = AtStart.Ordered(),
        AtReference = AtReference.Ordered(),
        AtEnd = AtEnd.Ordered(),
    };
}
