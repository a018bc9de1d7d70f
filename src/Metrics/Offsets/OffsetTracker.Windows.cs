using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <content>Making windows of what the regimes hold.</content>
public sealed partial class OffsetTracker
{
    private bool _isComplete;
    private bool _isFirst = true;
    private bool _reachedBack = true;
    private bool _wasRestless;
    private bool _breakIsDoubted;
    private double? _seenX;
    private long _cursorNs;
    private OffsetBreak _pendingBreak = OffsetBreak.Start;

    /// <summary>Makes all windows after which enough is known.</summary>
    private void FinishSettled()
    {
        var settledNs = _timeline.OriginNs + (long)Math.Clamp(
            Math.Min(_timeline.SettledX, _timeline.TestedX - LookAheadNs), -1, LargestStampNs);
        while (_timeline.Regimes.Count > 0 && FinishNext(settledNs, mayCut: false))
        {
        }
    }

    private void FinishUntil(long endNs)
    {
        while (_timeline.Regimes.Count > 0 && Cursor < endNs && FinishNext(endNs, mayCut: true))
        {
        }
    }

    private long Cursor => _isFirst ? _timeline.EarliestNs : _cursorNs;

    /// <summary>Makes the next window if it ends by <paramref name="limitNs"/>, or cuts it there.</summary>
    private bool FinishNext(long limitNs, bool mayCut)
    {
        var regime = _timeline.Regimes[0];
        var next = _timeline.Regimes.Count > 1 ? _timeline.Regimes[1] : null;
        var startNs = Cursor;
        if (next is not null && startNs >= regime.EndNs)
        {
            if (startNs < next.StartNs)
            {
                var overNs = mayCut ? Math.Min(next.StartNs, limitNs) : next.StartNs;
                if (overNs > limitNs)
                    return false;
                Emit(MakeBreakWindow(regime, next, new EstimatedSpan(startNs, overNs, _timeline.OriginNs)), overNs);
                if (overNs < next.StartNs)
                    return true;
            }
            else
            {
                _pendingBreak = next.Cause;
            }

            _wasRestless = IsRestless(regime) || _breakIsDoubted;
            _breakIsDoubted = false;
            _seenX = null;
            _timeline.RemoveFirst();
            _reachedBack = true;
            return true;
        }

        var endNs = EndOfWindow(regime, startNs);
        if (endNs > limitNs)
        {
            if (!mayCut)
                return false;
            endNs = limitNs;
        }

        Emit(MakeWindow(regime, next, new EstimatedSpan(startNs, endNs, _timeline.OriginNs)), endNs);
        return true;
    }

    private void Emit(OffsetWindow window, long endNs)
    {
        _final.Enqueue(window);
        _cursorNs = endNs;
        _isFirst = false;
        _pendingBreak = OffsetBreak.None;
    }

    /// <summary>The end of the second, of the regime, or of a long time without probes.</summary>
    private long EndOfWindow(OffsetRegime regime, long startNs)
    {
        var slice = (long)Math.Floor((startNs - _timeline.OriginNs) / (double)OffsetRegime.SliceNs);
        var endSlice = slice + 1;
        if (regime.Find(slice) is not null)
            return Math.Min(regime.EndNs, _timeline.OriginNs + (endSlice * OffsetRegime.SliceNs));

        long? before = null, after = null;
        foreach (var known in regime.Slices)
        {
            if (known.Index < slice)
                before = known.Index;
            else
                after ??= known.Index;
        }

        if (before is null || slice - before > LinearWindows.Before)
        {
            if (after is null)
                return regime.EndNs;
            endSlice = Math.Max(endSlice, after.Value - LinearWindows.After);
        }

        return Math.Min(regime.EndNs, _timeline.OriginNs + (endSlice * OffsetRegime.SliceNs));
    }

    // Probes come at least so often where none is lost.
    private const long LongestUnwatchedNs = OffsetRegime.SliceNs;

    // A clock that jumps again so soon is one that nobody follows from probe to probe.
    private const long ShortestRestNs = OffsetRegime.SliceNs / 2;

    private static bool IsRestless(OffsetRegime regime) =>
        regime.Cause != OffsetBreak.Start && regime.EndNs - regime.StartNs < ShortestRestNs;

    /// <summary>Whether the clock jumped twice within moments, at the window or beside it.</summary>
    private bool IsRestless(OffsetRegime regime, OffsetRegime? next, in EstimatedSpan span) => IsRestless(regime)
        || (_wasRestless && span.StartNs <= regime.StartNs)
        || (next is not null && IsRestless(next) && span.EndNs >= regime.EndNs);

    /// <summary>
    /// Whether it ends farther beyond the last probe than probes were ever apart: a step would have shown in none.
    /// </summary>
    private bool IsUnwatched(in EstimatedSpan span) =>
        span.EndX - _timeline.TestedX > Math.Max(LongestUnwatchedNs, UnseenMomentNs);

    private OffsetWindow MakeWindow(OffsetRegime regime, OffsetRegime? next, EstimatedSpan span)
    {
        var cause = _pendingBreak;
        var estimate = _near.Estimate(regime, span);
        if (next is null && IsUnwatched(span))
            estimate = estimate.Unknown;
        var isConsistent = _near.IsConsistent;
        if (!_near.IsLinear && span.Slice >= regime.HullFrom)
        {
            // What comes into a long hull from here on starts afresh.
            regime.HullFrom = span.Slice + LinearWindows.After + 1;
            cause = cause == OffsetBreak.None ? OffsetBreak.NotLinear : cause;
        }

        if (cause == OffsetBreak.None && _reachedBack && !_lines.ReachesBack)
            cause = OffsetBreak.RateChange;
        _reachedBack = _lines.ReachesBack;
        var slice = regime.Find(span.Slice);
        if (cause == OffsetBreak.None && slice is { Probes: > 0 } && regime.Slices[0] == slice
            && double.IsFinite(regime.Carried.High))
            cause = OffsetBreak.Gap;

        var probes = estimate;
        var claims = _claims.Judge(regime, span, _timeline.BaseNs, ref estimate);
        Displace(regime, span, probes, ref estimate);
        // Probes that refute the drift bound bound nothing that comes.
        var carried = isConsistent ? probes.AtEnd : OffsetInterval.Everything;
        regime.CarryTo(span.EndX, carried, span.Slice - LinearWindows.Before, _timeline.Spare);
        var isContradicted = claims.Any(claim => !claim.Agrees);
        var coded = slice?.CodedMiddleAt(span.ReferenceX, estimate.SlopePpm * 1e-6);
        var isFollowed = isConsistent && !IsRestless(regime, next, span) && slice is not { IsDoubted: true };
        var window = Describe(span, estimate, probes) with
        {
            Probes = slice?.Probes ?? 0,
            Accepted = slice?.Accepted ?? 0,
            Contradicting = slice?.Contradicting ?? 0,
            MinNetworkNs = slice?.MinNetworkNs ?? -1,
            CodedOffsetNs = coded is { } middle ? Nanoseconds.Nearest(middle, _timeline.BaseNs) : null,
            Break = cause,
            Claims = claims,
            IsContradicted = isContradicted,
            IsProven = isFollowed && estimate.IsBounded && !isContradicted,
        };
        foreach (ref readonly var moment in slice is null ? [] : slice.Moments.All)
        {
            if (moment.QuickestNs > regime.QuickestNs)
                continue;
            UnseenMomentNs = Math.Max(UnseenMomentNs, (long)(moment.QuickestX - (_seenX ?? moment.QuickestX)));
            _seenX = Math.Max(_seenX ?? moment.QuickestX, moment.QuickestX);
        }

        if (estimate == probes)
        {
            UnseenStepNs = Math.Max(UnseenStepNs, Nanoseconds.Width(_near.UnseenStepNs));
            return window;
        }

        return window with
        {
            ByProbes = Describe(span, probes, probes) with
            {
                Probes = window.Probes,
                Break = cause,
                IsProven = isFollowed && probes.IsBounded,
            },
        };
    }

    /// <summary>Widens what claims narrowed by what the clocks can be displaced against them.</summary>
    private void Displace(
        OffsetRegime regime, EstimatedSpan span, in OffsetEstimate probes, ref OffsetEstimate estimate)
    {
        if (estimate == probes || !estimate.IsBounded
            || _claims.ClaimedAt(regime, span, _timeline.BaseNs) is not { } claimed)
            return;

        var toleranceNs = (claimed.Width / 2) + (4 * _assumptions.StampErrorNs);
        var displacedNs = _displacement.Measure(
            regime, span, other => _claims.ClaimedAt(regime, other, _timeline.BaseNs), toleranceNs);
        if (displacedNs <= 0)
            return;
        if (estimate.Grow(displacedNs).Intersect(probes) is { IsEmpty: false } widened)
            estimate = widened;
        if (!_displacement.IsStep)
            return;
        HasDisplacedClaims = true;
        UnseenStepNs = Math.Max(UnseenStepNs, Nanoseconds.Width(displacedNs));
    }

    /// <summary>
    /// The window in which a clock jumped: nobody knows when in it, so that its interval covers what was before and
    /// what came after, drawn on through all of it.
    /// </summary>
    private OffsetWindow MakeBreakWindow(OffsetRegime regime, OffsetRegime next, EstimatedSpan span)
    {
        var before = _near.Estimate(regime, span);
        var after = _near.Estimate(next, span);
        var all = Cover(before).Unite(Cover(after));
        if (next.StraddledBy(Math.Max(regime.QuickestNs, next.QuickestNs)) is { } straddled)
            all = all.Unite(straddled);
        var drift = Math.Max(before.DriftPpm, after.DriftPpm);
        var estimate = new OffsetEstimate(all, all, all, 0, -drift, drift, drift);
        var fromMiddle = before.AtReference.Middle;
        _breakIsDoubted |= next.BeganInDoubt || IsDoubted(regime, span) || IsDoubted(next, span);
        var isStep = next.Cause is OffsetBreak.Step or OffsetBreak.Suspended
            && before.AtReference.IsBounded && after.AtReference.IsBounded;
        return Describe(span, estimate, estimate) with
        {
            Break = next.Cause,
            StepNs = isStep ? Nanoseconds.Nearest(after.AtReference.Middle - fromMiddle, 0) : 0,
            StepErrorNs = isStep ? Nanoseconds.Width(HalfWidth(before) + HalfWidth(after)) + 1 : null,
            IsProven = estimate.IsBounded && !_breakIsDoubted && !IsRestless(regime) && !IsRestless(next),
        };
    }

    private static bool IsDoubted(OffsetRegime regime, in EstimatedSpan span)
    {
        var (first, last) = ((long)(span.StartX / OffsetRegime.SliceNs), (long)(span.EndX / OffsetRegime.SliceNs));
        return regime.Slices.Any(slice => slice.IsDoubted && slice.Index >= first && slice.Index <= last);
    }

    private static double HalfWidth(in OffsetEstimate estimate) =>
        (estimate.AtReference.High - estimate.AtReference.Low) / 2;

    private static OffsetInterval Cover(in OffsetEstimate estimate) =>
        estimate.AtStart.Unite(estimate.AtReference).Unite(estimate.AtEnd);

    private OffsetWindow Describe(in EstimatedSpan span, in OffsetEstimate estimate, in OffsetEstimate probes)
    {
        if (!estimate.IsBounded)
            return Unbounded(span, estimate.DriftPpm);
        var middle = estimate.AtReference.Middle;
        var rise = estimate.SlopePpm * 1e-6;
        var baseNs = _timeline.BaseNs;
        return new OffsetWindow
        {
            StartNs = span.StartNs,
            EndNs = span.EndNs,
            ReferenceNs = span.ReferenceNs,
            OffsetNs = Nanoseconds.Nearest(middle, baseNs),
            SkewPpm = estimate.SlopePpm,
            SkewLowPpm = estimate.SlopeLowPpm,
            SkewHighPpm = estimate.SlopeHighPpm,
            ErrorAtStartNs = Error(estimate.AtStart, middle + (rise * (span.StartX - span.ReferenceX))),
            ErrorAtReferenceNs = Error(estimate.AtReference, middle),
            ErrorAtEndNs = Error(estimate.AtEnd, middle + (rise * (span.EndX - span.ReferenceX))),
            DriftPpm = estimate.DriftPpm,
            OscillatorPpm = _budget.OscillatorPpm,
            ProbeLowNs = Nanoseconds.Below(probes.AtReference.Low, baseNs),
            ProbeHighNs = Nanoseconds.Above(probes.AtReference.High, baseNs),
        };
    }

    private OffsetWindow Unbounded(in EstimatedSpan span, double driftPpm) => new()
    {
        IsBounded = false,
        StartNs = span.StartNs,
        EndNs = span.EndNs,
        ReferenceNs = span.ReferenceNs,
        OffsetNs = 0,
        SkewPpm = 0,
        SkewLowPpm = -driftPpm,
        SkewHighPpm = driftPpm,
        ErrorAtStartNs = 0,
        ErrorAtReferenceNs = 0,
        ErrorAtEndNs = 0,
        DriftPpm = driftPpm,
        OscillatorPpm = _budget.OscillatorPpm,
        ProbeLowNs = 0,
        ProbeHighNs = 0,
    };

    /// <summary>The bound of a line at an instant; 1 ns more, because offsets are rounded.</summary>
    private static long Error(OffsetInterval interval, double offset) =>
        Nanoseconds.Width(Math.Max(interval.High - offset, offset - interval.Low)) + 1;

    private OffsetWindow? MakeProvisional()
    {
        var current = _timeline.Current;
        if (_timeline.Regimes.Count == 0 || !current.Interval.IsBounded)
            return null;
        var drift = _timeline.DriftAt(current.AtX);
        var endNs = _timeline.OriginNs + (long)current.AtX;
        var span = new EstimatedSpan(Math.Max(endNs - OffsetRegime.SliceNs, _timeline.Regimes[^1].StartNs), endNs,
            _timeline.OriginNs);
        var ppm = drift * 1e6;
        var now = current.Interval.GrowTo(current.QuickestNs);
        var estimate = new OffsetEstimate(
            now.Grow(drift * (current.AtX - span.StartX)), now.Grow(drift * (current.AtX - span.ReferenceX)), now,
            0, -ppm, ppm, ppm);
        return Describe(span, estimate, estimate);
    }
}
