using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>
/// Whether a clock stepped under what is claimed of it. Seen from a claim that holds, the quickest probes take the same
/// time each way for as long as the route is the same. A step of a clock makes one way longer and the other shorter, by
/// as much, and for good; a queue makes no way shorter, and a route that moves changes both ways alike or one of them.
/// So what both show is a step, or a route that looks like one: the claim is then worth that much less, until the two
/// ways are as they were.
/// </summary>
internal sealed class ClaimDisplacement
{
    // Of the claim's error: a step of more is never taken for what is usual.
    private const double Learned = 0.25;

    // Queues that both ways lack alike before and after hide a little of a step.
    private const double QueuesOfBoth = 1.01;

    private OffsetRegime? _regime;
    private Floors _before = Floors.None;
    private Shift _displaced;

    /// <summary>Whether the last window looked at shows more than the claim's own error.</summary>
    public bool IsStep { get; private set; }

    /// <summary>By how much the clocks can be displaced in a window against what is claimed there.</summary>
    /// <param name="regime">The probes around it.</param>
    /// <param name="span">The window.</param>
    /// <param name="claimAt">What is claimed of any span; null where nothing is.</param>
    /// <param name="toleranceNs">The claim's own error.</param>
    public double Measure(
        OffsetRegime regime, in EstimatedSpan span, Func<EstimatedSpan, OffsetEstimate?> claimAt, double toleranceNs)
    {
        // A step that the probes show ends what was claimed before it.
        if (regime != _regime)
            (_regime, _before, _displaced) = (regime, Floors.None, default);
        var here = FloorsOf(regime, span.Slice, span.OriginNs, claimAt);
        var after = Floors.None;
        Span<double> sums = stackalloc double[LinearWindows.After + 1];
        var count = 0;
        if (here.IsKnown)
            sums[count++] = here.SumNs;
        var displaced = _before.DisplacedTo(here);
        for (var slice = span.Slice + 1; slice <= span.Slice + LinearWindows.After; slice++)
        {
            var next = FloorsOf(regime, slice, span.OriginNs, claimAt);
            if (next.IsKnown)
                sums[count++] = next.SumNs;
            after = after.Or(next);
            displaced = displaced.Or(_before.DisplacedTo(after));
        }

        // Where probes are missing it stays what it was.
        if (!here.IsKnown && !after.IsKnown)
            displaced = _displaced;
        var worst = displaced.Or(_displaced);
        _displaced = displaced;
        if (displaced.BothNs <= Learned * toleranceNs)
            _before = _before.Or(here);
        // Both ways together are as long after a step as before it, and shorter in the second of the step: what they
        // are
        // longer than usual by is queues.
        sums = sums[..count];
        sums.Sort();
        var queuesNs = count == 0 ? 0 : sums[^1] - sums[count / 2];
        IsStep = worst.BothNs > toleranceNs + queuesNs;
        return IsStep
            ? (QueuesOfBoth * worst.BothNs) + (2 * worst.ApartNs) + toleranceNs
            : Math.Max(0, (2 * worst.BothNs) - queuesNs);
    }

    private static Floors FloorsOf(
        OffsetRegime regime, long slice, long originNs, Func<EstimatedSpan, OffsetEstimate?> claimAt)
    {
        var span = new EstimatedSpan(
            originNs + (slice * OffsetRegime.SliceNs), originNs + ((slice + 1) * OffsetRegime.SliceNs), originNs);
        if (regime.Find(slice) is not { } probes || claimAt(span) is not { IsBounded: true } claimed)
            return Floors.None;
        var slope = (claimed.AtEnd.Middle - claimed.AtStart.Middle) / (span.EndX - span.StartX);
        var atZero = claimed.AtStart.Middle - (slope * span.StartX);
        return new Floors(
            probes.Upper.Support(slope, out _) - atZero, probes.Mirrored.Support(-slope, out _) + atZero);
    }

    /// <summary>What the quickest probes took there and back, as seen from a claim; infinite where none did.</summary>
    private readonly record struct Floors(double ThereNs, double BackNs)
    {
        public static Floors None { get; } = new(double.PositiveInfinity, double.PositiveInfinity);

        public bool IsKnown => double.IsFinite(ThereNs) && double.IsFinite(BackNs);

        public double SumNs => ThereNs + BackNs;

        public Floors Or(Floors other) => new(Math.Min(ThereNs, other.ThereNs), Math.Min(BackNs, other.BackNs));

        public Shift DisplacedTo(Floors other)
        {
            if (!IsKnown || !other.IsKnown)
                return default;
            var (there, back) = (other.ThereNs - ThereNs, other.BackNs - BackNs);
            var both = Math.Max(0, Math.Max(Math.Min(there, -back), Math.Min(-there, back)));
            return new Shift(both, both == 0 ? 0 : Math.Abs(there + back));
        }
    }

    /// <summary>What both ways show is a step. What they show differently is by queues: either may lack it.</summary>
    private readonly record struct Shift(double BothNs, double ApartNs)
    {
        public Shift Or(Shift other) => other.BothNs > BothNs ? other : this;
    }
}
