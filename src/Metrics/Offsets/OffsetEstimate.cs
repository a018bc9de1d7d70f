using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>What the offset may be at three instants of a window, from the tracker's base; and its slope.</summary>
internal readonly record struct OffsetEstimate(
    OffsetInterval AtStart,
    OffsetInterval AtReference,
    OffsetInterval AtEnd,
    double SlopePpm,
    double SlopeLowPpm,
    double SlopeHighPpm,
    double DriftPpm)
{
    public bool IsEmpty => AtStart.IsEmpty || AtReference.IsEmpty || AtEnd.IsEmpty;

    /// <summary>The same of a time of which nothing is known.</summary>
    public OffsetEstimate Unknown => this with
    {
        AtStart = OffsetInterval.Everything,
        AtReference = OffsetInterval.Everything,
        AtEnd = OffsetInterval.Everything,
    };

    public bool AllowsOneRate => SlopeLowPpm <= 0 && SlopeHighPpm >= 0;

    /// <summary>The same, given that the two clocks are one, which does not drift against itself.</summary>
    public OffsetEstimate AtOneRate() => this with { SlopePpm = 0, SlopeLowPpm = 0, SlopeHighPpm = 0, DriftPpm = 0 };

    /// <summary>
    /// The same at the rates that lead from what is possible at the start to what is at the end: words of UTC bound
    /// both, and what two of them differ by is the drift that was measured.
    /// </summary>
    public OffsetEstimate AtMeasuredRates(in EstimatedSpan span)
    {
        var ppmOfOne = 1e6 / (span.EndX - span.StartX);
        var low = Math.Max(SlopeLowPpm, (AtEnd.Low - AtStart.High) * ppmOfOne);
        var high = Math.Min(SlopeHighPpm, (AtEnd.High - AtStart.Low) * ppmOfOne);
        return low <= high
            ? this with { SlopePpm = Math.Clamp(SlopePpm, low, high), SlopeLowPpm = low, SlopeHighPpm = high }
            : this;
    }

    public OffsetEstimate Intersect(in OffsetEstimate other) => this with
    {
        AtStart = AtStart.Intersect(other.AtStart),
        AtReference = AtReference.Intersect(other.AtReference),
        AtEnd = AtEnd.Intersect(other.AtEnd),
    };

    public OffsetEstimate Grow(double by) => this with
    {
        AtStart = AtStart.Grow(by),
        AtReference = AtReference.Grow(by),
        AtEnd = AtEnd.Grow(by),
    };

    public bool IsBounded => AtStart.IsBounded && AtReference.IsBounded && AtEnd.IsBounded;

    public double Width => Math.Max(AtStart.Width, Math.Max(AtReference.Width, AtEnd.Width));

    /// <summary>The narrowest; negative where one is empty.</summary>
    public double LeastWidth => Math.Min(AtStart.Width, Math.Min(AtReference.Width, AtEnd.Width));

    /// <summary>
    /// No narrower than a round trip. Where it was, a clock may have moved, at any instant of the window: what holds at
    /// one of them then holds at all, along the line.
    /// </summary>
    public OffsetEstimate GrowTo(double roundTripNs, in EstimatedSpan span)
    {
        if (!(LeastWidth < roundTripNs))
            return this;
        var rise = SlopePpm * 1e-6;
        var (before, after) = (rise * (span.ReferenceX - span.StartX), rise * (span.EndX - span.ReferenceX));
        var all = AtStart.GrowTo(roundTripNs).Shift(before)
            .Unite(AtReference.GrowTo(roundTripNs))
            .Unite(AtEnd.GrowTo(roundTripNs).Shift(-after));
        return this with { AtStart = all.Shift(-before), AtReference = all, AtEnd = all.Shift(after) };
    }
}
