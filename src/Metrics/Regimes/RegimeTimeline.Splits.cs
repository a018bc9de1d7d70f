namespace RedisLatency.Metrics.Regimes;

/// <content>Where one regime ends and the next begins.</content>
internal sealed partial class RegimeTimeline
{
    // Whoever looks for suspensions does so once a second; after this long without word it is not waited for.
    private const double LongestWaitForWord = 10e9;

    private readonly List<(long FromNs, long ToNs)> _suspensions = [];
    private readonly long?[] _awakeUntilNs = new long?[2];
    private long _lastStraddleNs;

    /// <summary>A step found in that time has this cause; where none is, the line is broken all the same.</summary>
    public void Suspend(long fromNs, long toNs)
    {
        if (_regimes.Count > 0 && _regimes[^1] is { Cause: OffsetBreak.Step } last
            && fromNs <= last.StartNs && toNs >= last.StartNs - _lastStraddleNs)
        {
            last.Cause = OffsetBreak.Suspended;
            return;
        }

        // Of both hosts at once it is one.
        while (_suspensions.FindIndex(other => fromNs <= other.ToNs && other.FromNs <= toNs) is >= 0 and var place)
        {
            (fromNs, toNs) = (Math.Min(fromNs, _suspensions[place].FromNs), Math.Max(toNs, _suspensions[place].ToNs));
            _suspensions.RemoveAt(place);
        }

        var next = _suspensions.FindIndex(other => other.FromNs > fromNs);
        _suspensions.Insert(next < 0 ? _suspensions.Count : next, (fromNs, toNs));
    }

    /// <summary>No suspension of a host before an instant is still to be told.</summary>
    public void SetAwake(ClockSide side, long untilNs) =>
        _awakeUntilNs[(int)side] = Math.Max(_awakeUntilNs[(int)side] ?? long.MinValue, untilNs);

    private bool TakeSuspension(long fromNs, long toNs) =>
        _suspensions.RemoveAll(suspension => fromNs <= suspension.ToNs && suspension.FromNs <= toNs) > 0;

    /// <summary>Whether a host may have slept before a probe returned, and its side of that is not known yet.</summary>
    private bool MayBeAfterSuspension(in TestedProbe probe)
    {
        foreach (var (fromNs, _) in _suspensions)
        {
            if (probe.Stamps.ReturnedNs > fromNs)
                return true;
        }

        foreach (var untilNs in _awakeUntilNs)
        {
            if (probe.Stamps.ReturnedNs > untilNs && probe.ReturnedX > _newestX - LongestWaitForWord)
                return true;
        }

        return false;
    }

    private void SplitWhereSuspended()
    {
        if (_suspensions.Count == 0 || TestedX - (_suspensions[0].ToNs - OriginNs) <= SettlingTime)
            return;
        var (fromNs, toNs) = _suspensions[0];
        _suspensions.RemoveAt(0);
        if (toNs <= _regimes[^1].StartNs)
            return;
        Split(OffsetBreak.Suspended, fromNs, toNs);
        for (var number = _ring.Head; number < _tested; number++)
        {
            ref var probe = ref _ring[number];
            if (probe.Verdict != ProbeVerdict.Accepted || probe.Stamps.ReturnedNs <= fromNs)
                continue;
            if (probe.Stamps.SentNs < toNs)
                probe.Verdict = ProbeVerdict.Straddling;
            else
                probe.Regime = _regimes[^1].Id;
        }

        Narrow(_regimes[^1].Id, _ring.Head, _tested);
    }

    private void Split(OffsetBreak cause, long fromNs, long toNs)
    {
        var last = _regimes[^1];
        last.EndNs = Math.Max(fromNs, last.StartNs);
        _lastStraddleNs = toNs - fromNs;
        Begin(cause, Math.Max(toNs, last.EndNs + 1), RunningBound.Before(toNs - OriginNs));
    }
}
