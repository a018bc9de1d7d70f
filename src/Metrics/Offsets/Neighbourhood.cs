using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>What the probes around a window say of the offset in it, whatever the clocks did meanwhile.</summary>
/// <remarks>
/// Probes of different moments leave less than the quickest of them does alone: because queues were short there and
/// back at different times, because a route moved, or because a clock did. Nobody can tell, so that what they leave is
/// widened at both ends by all that it falls short of that quickest round trip. Then each quick probe is inside with
/// its own interval, and so is the offset that it was stamped at, however many those were.
/// </remarks>
internal sealed class Neighbourhood(DriftBudget budget, LinearWindows lines)
{
    private static readonly (int Before, int After)[] Reaches =
        [(1, 1), (2, 2), (LinearWindows.After, LinearWindows.After), (14, LinearWindows.After),
            (LinearWindows.Before, LinearWindows.After)];

    /// <summary>Whether all probes can be true at once, by the drift that is assumed.</summary>
    public bool IsConsistent { get; private set; }

    /// <summary>Whether a line suits them, as far as hulls reach.</summary>
    public bool IsLinear { get; private set; }

    /// <summary>
    /// By how much the probes leave less than the quickest of them alone does, in nanoseconds: a step of a clock as
    /// large as this may be among them and look like queues. What was estimated contains it.
    /// </summary>
    public double UnseenStepNs { get; private set; }

    public OffsetEstimate Estimate(OffsetRegime regime, in EstimatedSpan span)
    {
        // What was learned at one reach holds for all of them.
        double assumedPpm;
        OffsetEstimate estimate;
        do
        {
            assumedPpm = budget.OscillatorPpm;
            estimate = EstimateOnce(regime, span);
        }
        while (budget.OscillatorPpm > assumedPpm);
        return estimate;
    }

    private OffsetEstimate EstimateOnce(OffsetRegime regime, in EstimatedSpan span)
    {
        lines.Place(regime, span);
        (IsConsistent, IsLinear) = (false, true);
        (OffsetEstimate Near, double QuickestNs)? best = null;
        double roomNs = 0, hiddenNs = 0, narrowest = double.PositiveInfinity;
        OffsetEstimate rates = default;
        foreach (var (before, after) in Reaches)
        {
            var (from, to) = (span.Slice - before, span.Slice + after);
            var isNear = before <= LinearWindows.After;
            var quickestNs = isNear ? QuickestOf(regime, span.Slice, from, to) : 0;
            if (double.IsInfinity(quickestNs))
                continue;
            var isSolved = lines.TrySolve(regime, span, isNear ? from : Math.Max(from, regime.HullFrom), to);
            IsLinear &= isSolved != false || (isNear && from < regime.HullFrom);
            if (isNear)
            {
                var near = DriftCones.Between(regime, span, from, to, budget);
                if (isSolved == true && near.Intersect(lines.Read(span)) is { IsEmpty: false } narrowed)
                    near = narrowed;
                if (best is null)
                    rates = near;
                IsConsistent |= !near.IsEmpty && near.IsBounded;
                var width = Math.Max(near.Width, (2 * quickestNs) - near.LeastWidth);
                if (near.IsBounded && width < narrowest)
                    (best, narrowest) = ((near, quickestNs), width);
            }

            if (isSolved != true)
                continue;
            if (isNear)
                hiddenNs = Math.Max(quickestNs - lines.RoomNs, lines.RoomNs / 8);
            // What a longer reach leaves less room than a shorter one is by queues, or by a bend of as much: so its
            // line tells of the rate what a bend of that size leaves.
            if (lines.RoomNs < roomNs)
                hiddenNs = Math.Max(hiddenNs, roomNs - lines.RoomNs);
            roomNs = Math.Max(roomNs, lines.RoomNs);
            rates = lines.TakeSlopes(rates, hiddenNs);
        }

        if (best is { } known)
        {
            regime.QuickestNs = known.QuickestNs;
            UnseenStepNs = Math.Max(0, known.QuickestNs - known.Near.LeastWidth);
            return (known.Near with
            {
                SlopePpm = rates.SlopePpm,
                SlopeLowPpm = rates.SlopeLowPpm,
                SlopeHighPpm = rates.SlopeHighPpm,
            }).GrowTo(known.QuickestNs, span);
        }

        var carried = DriftCones.Across(regime, span, budget);
        IsConsistent = !carried.IsEmpty;
        UnseenStepNs = 0;
        return carried.GrowTo(regime.QuickestNs, span);
    }

    /// <summary>
    /// The quickest round trip of a second, in the middle of all seconds: where a clock jumps or stands still while a
    /// probe is on its way, that one looks quicker than any was, and faults may come in several of the seconds. But no
    /// less than that of those beside the window's own second, nor of any three moments in it: a route that becomes
    /// longer as a clock steps hides the step behind what it was before.
    /// </summary>
    private static double QuickestOf(OffsetRegime regime, long slice, long from, long to)
    {
        Span<double> quickest = stackalloc double[(2 * LinearWindows.After) + 1];
        var count = 0;
        var besideNs = 0.0;
        var (beforeNs, earlierNs) = (0.0, 0.0);
        foreach (var known in regime.Slices)
        {
            if (known.Index < from || known.Index > to || !double.IsFinite(known.QuickestNs))
                continue;
            quickest[count++] = known.QuickestNs;
            if (Math.Abs(known.Index - slice) > 1)
                continue;
            besideNs = Math.Max(besideNs, known.QuickestNs);
            var moments = known.Moments.All;
            var beside = Math.Min(3, moments.Length);
            if (known.Index != slice)
                moments = known.Index < slice ? moments[^beside..] : moments[..beside];
            foreach (ref readonly var moment in moments)
            {
                besideNs = Math.Max(besideNs, Math.Min(earlierNs, Math.Min(beforeNs, moment.QuickestNs)));
                (earlierNs, beforeNs) = (beforeNs, moment.QuickestNs);
            }
        }

        quickest = quickest[..count];
        quickest.Sort();
        return count == 0 ? double.PositiveInfinity : Math.Max(quickest[count / 2], besideNs);
    }
}

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
