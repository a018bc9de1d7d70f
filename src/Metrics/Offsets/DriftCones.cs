using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>
/// The bound by drift alone: an upper point U at x allows U + rho |t - x| at t, a lower one L - rho |t - x|. It holds
/// whatever the clocks do within their drift bound, bent or not.
/// </summary>
internal static class DriftCones
{
    public static OffsetEstimate Between(
        OffsetRegime regime, in EstimatedSpan span, long first, long last, DriftBudget budget) =>
        Intersect(regime, span, first, last, budget, OffsetInterval.Everything);

    /// <summary>What was known before, and what the probes after it say: for a time without probes.</summary>
    public static OffsetEstimate Across(OffsetRegime regime, in EstimatedSpan span, DriftBudget budget) =>
        Intersect(regime, span, span.Slice, long.MaxValue, budget, regime.Carried);

    private static OffsetEstimate Intersect(
        OffsetRegime regime, in EstimatedSpan span, long first, long last, DriftBudget budget, OffsetInterval carried)
    {
        var earliest = carried.IsBounded ? Math.Min(regime.CarriedX, span.StartX) : span.StartX;
        var drift = DriftBetween(budget, span, earliest, span.EndX);
        var start = carried.Grow(drift * Math.Abs(span.StartX - regime.CarriedX));
        var reference = carried.Grow(drift * Math.Abs(span.ReferenceX - regime.CarriedX));
        var end = carried.Grow(drift * Math.Abs(span.EndX - regime.CarriedX));
        foreach (var slice in regime.Slices)
        {
            if (slice.Index < first || slice.Index > last)
                continue;
            var startX = (double)slice.Index * OffsetRegime.SliceNs;
            var toSlice = DriftBetween(budget, span,
                Math.Min(span.StartX, startX), Math.Max(span.EndX, startX + OffsetRegime.SliceNs));
            start = start.Intersect(Cone(slice, span.StartX, toSlice));
            reference = reference.Intersect(Cone(slice, span.ReferenceX, toSlice));
            end = end.Intersect(Cone(slice, span.EndX, toSlice));
        }

        var slope = start.Middle is var from && end.Middle is var to && double.IsFinite(from + to)
            ? Math.Clamp((to - from) / (span.EndX - span.StartX), -drift, drift) : 0;
        return new OffsetEstimate(start, reference, end, slope * 1e6, -drift * 1e6, drift * 1e6, drift * 1e6);
    }

    private static double DriftBetween(DriftBudget budget, in EstimatedSpan span, double fromX, double toX) =>
        budget.Between(span.OriginNs + (long)fromX, span.OriginNs + (long)toX);

    private static OffsetInterval Cone(OffsetSlice slice, double x, double drift) =>
        new(-Lowest(slice.Mirrored, x, drift), Lowest(slice.Upper, x, drift));

    private static double Lowest(LowerHull hull, double x, double drift)
    {
        var lowest = double.PositiveInfinity;
        var xs = hull.X;
        var ys = hull.Y;
        for (var i = 0; i < xs.Length; i++)
            lowest = Math.Min(lowest, ys[i] + (drift * Math.Abs(x - xs[i])));
        return lowest;
    }
}
