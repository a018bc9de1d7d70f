using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>The lines with a wander that the probes around a window allow, over any reach of slices.</summary>
internal sealed class LinearWindows(DriftBudget budget, double wanderPpm)
{
    public const int Before = 54;

    public const int After = 5;

    // A steeper line is a step whose probes are few.
    private const double SteepestPpm = 2_000;
    private const double NsPerSecondPerPpm = 1e3;

    private readonly LinearEnvelope _envelope = new();
    private SlewSpread _spread;
    private long _first;
    private long _last;
    private long _leastSide;

    /// <summary>Whether the sampled slews let the window's hull reach back.</summary>
    public bool ReachesBack { get; private set; } = true;

    /// <summary>How far apart the two kinds of probes were along the line that suits them best.</summary>
    public double RoomNs => _envelope.RoomNs;

    /// <summary>Finds how far the sampled slews let the hulls of a window reach.</summary>
    public void Place(OffsetRegime regime, in EstimatedSpan span)
    {
        _spread = new SlewSpread();
        _first = _last = span.Slice;
        ReachesBack = true;
        if (regime.Slices.Count == 0)
            return;
        if (!budget.TryWiden(ref _spread, span.StartNs, span.EndNs))
        {
            _last = span.Slice - 1;
            return;
        }

        var farthest = Math.Max(span.Slice - Before, regime.Slices[0].Index);
        while (_first > farthest && TryWiden(span.OriginNs, _first - 1))
            _first--;
        ReachesBack = _first < span.Slice || _first <= farthest;
        farthest = Math.Min(span.Slice + After, regime.Slices[^1].Index);
        while (_last < farthest && TryWiden(span.OriginNs, _last + 1))
            _last++;
    }

    /// <summary>
    /// Whether there is any line; null where nobody can tell, for want of probes or because a clock was slewed.
    /// </summary>
    public bool? TrySolve(OffsetRegime regime, in EstimatedSpan span, long from, long to)
    {
        (from, to) = (Math.Max(from, _first), Math.Min(to, _last));
        if (_last < _first || from > span.Slice)
            return null;
        Gather(regime, span, from, to);
        _leastSide = Math.Max(1, Math.Min(span.Slice - from, to - span.Slice));
        if (_envelope.IsOneSided)
            return null;
        var startX = Math.Min(span.StartX, from * (double)OffsetRegime.SliceNs);
        var endX = Math.Max(span.EndX, (to + 1) * (double)OffsetRegime.SliceNs);
        var (fromNs, toNs) = (span.OriginNs + (long)startX, span.OriginNs + (long)endX);
        var bentPpm = wanderPpm + (_spread.TotalPpm / 2);
        var wanderNs = bentPpm * NsPerSecondPerPpm * (endX - startX) * 1e-9 / 2;
        var drift = budget.Between(fromNs, toNs) * 1e9;
        if (_envelope.TrySolve(wanderNs, -drift, drift))
            return true;
        const double Steepest = SteepestPpm * NsPerSecondPerPpm;
        if (!_envelope.TrySolve(wanderNs, -Steepest, Steepest))
            return false;
        budget.Learn(fromNs, toNs, _envelope.SteepestSlope * 1e-9);
        return true;
    }

    /// <summary>Where the lines solved for last are at the instants of a window.</summary>
    public OffsetEstimate Read(in EstimatedSpan span) => new(
        _envelope.At((span.StartX - span.ReferenceX) * 1e-9),
        _envelope.At(0),
        _envelope.At((span.EndX - span.ReferenceX) * 1e-9),
        0, 0, 0, 0);

    /// <summary>Takes their slopes for a window's rates; the offset may be bent by so much unnoticed.</summary>
    public OffsetEstimate TakeSlopes(in OffsetEstimate estimate, double hiddenNs)
    {
        // A bend on one side of the window turns the line by what it takes from the room, over the time that is left
        // from the bend to the other end: the window and what lies on its other side.
        var away = wanderPpm + _spread.TotalPpm + (hiddenNs / _leastSide / NsPerSecondPerPpm);
        var low = Math.Max(estimate.SlopeLowPpm, (_envelope.SlopeLow / NsPerSecondPerPpm) - away);
        var high = Math.Min(estimate.SlopeHighPpm, (_envelope.SlopeHigh / NsPerSecondPerPpm) + away);
        return low > high ? estimate : estimate with
        {
            SlopePpm = Math.Clamp(_envelope.WidestSlope / NsPerSecondPerPpm, low, high),
            SlopeLowPpm = low,
            SlopeHighPpm = high,
        };
    }

    private bool TryWiden(long originNs, long slice)
    {
        var startNs = originNs + (slice * OffsetRegime.SliceNs);
        return budget.TryWiden(ref _spread, startNs, startNs + OffsetRegime.SliceNs);
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
}
