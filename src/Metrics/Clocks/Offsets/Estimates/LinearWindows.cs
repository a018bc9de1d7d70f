using RedisLatency.Metrics.Clocks.Offsets.Drift;
using RedisLatency.Metrics.Clocks.Offsets.Envelopes;
using RedisLatency.Metrics.Clocks.Offsets.Regimes;

namespace RedisLatency.Metrics.Clocks.Offsets.Estimates;

/// <summary>
/// The bound by a line with a wander, over a sliding window of slices. Shorter windows see fewer points but need less
/// wander; all of them hold, so what is possible lies in all of them.
/// </summary>
internal sealed class LinearWindows(DriftBudget budget)
{
    /// <summary>How many slices before a window its hull may reach.</summary>
    public const int Before = 54;

    /// <summary>How many slices after it.</summary>
    public const int After = 5;

    private const double NsPerSecondPerPpm = 1e3;
    private static readonly (int Before, int After)[] Reaches = [(Before, After), (14, 5), (4, 3), (1, 1)];

    private readonly LinearEnvelope _envelope = new();

    /// <summary>Whether the sampled slews let the last window's hull reach back.</summary>
    public bool ReachesBack { get; private set; }

    /// <summary>Narrows an estimate by the lines that the probes around it allow.</summary>
    /// <param name="regime">Whose probes.</param>
    /// <param name="span">The window that it is for.</param>
    /// <param name="wanderPpm">How far the rate may leave its mean.</param>
    /// <param name="estimate">The estimate by drift alone, and then what is possible by both.</param>
    /// <returns>Whether there is any line; where there is none the estimate is left as it was.</returns>
    public bool TryNarrow(OffsetRegime regime, in EstimatedSpan span, double wanderPpm, ref OffsetEstimate estimate)
    {
        var slice = span.Slice;
        var spread = new SlewSpread();
        ReachesBack = true;
        if (slice < regime.HullFrom || regime.Slices.Count == 0
            || !budget.TryWiden(ref spread, span.StartNs, span.EndNs))
            return true;
        var first = FirstReached(regime, span, ref spread);
        var last = LastReached(regime, span, ref spread);
        var bentPpm = wanderPpm + (spread.TotalPpm / 2);
        var awayPpm = wanderPpm + spread.TotalPpm;
        var narrowed = estimate;
        var (slopeLow, slopeHigh) = (double.NegativeInfinity, double.PositiveInfinity);
        for (var reach = 0; reach < Reaches.Length; reach++)
        {
            var from = Math.Max(first, slice - Reaches[reach].Before);
            var to = Math.Min(last, slice + Reaches[reach].After);
            if (reach > 0 && from == first && to == last)
                continue;
            Gather(regime, span, from, to);
            var startX = Math.Min(span.StartX, from * (double)OffsetRegime.SliceNs);
            var endX = Math.Max(span.EndX, (to + 1) * (double)OffsetRegime.SliceNs);
            var drift = budget.Between(span.OriginNs + (long)startX, span.OriginNs + (long)endX) * 1e9;
            var wanderNs = bentPpm * NsPerSecondPerPpm * (endX - startX) * 1e-9 / 2;
            if (_envelope.IsOneSided)
                continue;
            if (!_envelope.TrySolve(wanderNs, Math.Max(-drift, slopeLow), Math.Min(drift, slopeHigh)))
                return false;
            narrowed = narrowed.Intersect(ReadEnvelope(span));
            if (slopeHigh < double.PositiveInfinity)
                continue;
            var away = awayPpm * NsPerSecondPerPpm;
            (slopeLow, slopeHigh) = (_envelope.SlopeLow - away, _envelope.SlopeHigh + away);
            narrowed = narrowed with
            {
                SlopePpm = _envelope.WidestSlope / NsPerSecondPerPpm,
                SlopeLowPpm = Math.Max(narrowed.SlopeLowPpm, slopeLow / NsPerSecondPerPpm),
                SlopeHighPpm = Math.Min(narrowed.SlopeHighPpm, slopeHigh / NsPerSecondPerPpm),
            };
        }

        if (narrowed.IsEmpty || narrowed.SlopeLowPpm > narrowed.SlopeHighPpm)
            return false;
        estimate = narrowed with
        {
            SlopePpm = Math.Clamp(narrowed.SlopePpm, narrowed.SlopeLowPpm, narrowed.SlopeHighPpm),
        };
        return true;
    }

    private long FirstReached(OffsetRegime regime, in EstimatedSpan span, ref SlewSpread spread)
    {
        var reached = span.Slice;
        var farthest = Math.Max(Math.Max(regime.HullFrom, reached - Before), regime.Slices[0].Index);
        while (reached > farthest && TryWiden(ref spread, span.OriginNs, reached - 1))
            reached--;
        ReachesBack = reached < span.Slice || reached <= farthest;
        return reached;
    }

    private long LastReached(OffsetRegime regime, in EstimatedSpan span, ref SlewSpread spread)
    {
        var reached = span.Slice;
        var farthest = Math.Min(reached + After, regime.Slices[^1].Index);
        while (reached < farthest && TryWiden(ref spread, span.OriginNs, reached + 1))
            reached++;
        return reached;
    }

    private bool TryWiden(ref SlewSpread spread, long originNs, long slice)
    {
        var startNs = originNs + (slice * OffsetRegime.SliceNs);
        return budget.TryWiden(ref spread, startNs, startNs + OffsetRegime.SliceNs);
    }

    private void Gather(OffsetRegime regime, in EstimatedSpan span, long from, long to)
    {
        _envelope.Clear();
        foreach (var slice in regime.Slices)
        {
            if (slice.Index < from || slice.Index > to)
                continue;
            for (var i = 0; i < slice.Upper.Count; i++)
                _envelope.AddUpper((slice.Upper.X[i] - span.ReferenceX) * 1e-9, slice.Upper.Y[i]);
            for (var i = 0; i < slice.Mirrored.Count; i++)
                _envelope.AddLower((slice.Mirrored.X[i] - span.ReferenceX) * 1e-9, -slice.Mirrored.Y[i]);
        }
    }

    private OffsetEstimate ReadEnvelope(in EstimatedSpan span) => new(
        _envelope.At((span.StartX - span.ReferenceX) * 1e-9),
        _envelope.At(0),
        _envelope.At((span.EndX - span.ReferenceX) * 1e-9),
        0, 0, 0, 0);
}
