namespace RedisLatency.Metrics.Clocks.Offsets.Regimes;

/// <content>Where one regime ends and the next begins.</content>
internal sealed partial class RegimeTimeline
{
    private readonly List<(long FromNs, long ToNs)> _suspensions = [];

    /// <summary>
    /// A host was suspended: a step found near it has this cause; where none is found, the line is broken all the same.
    /// </summary>
    public void Suspend(long fromNs, long toNs)
    {
        if (_regimes.Count > 0 && _regimes[^1] is { Cause: OffsetBreak.Step } last
            && IsNear(last.StartNs, last.StartNs, fromNs, toNs))
            last.Cause = OffsetBreak.Suspended;
        else
            _suspensions.Add((fromNs, toNs));
    }

    private static bool IsNear(long oneFromNs, long oneToNs, long otherFromNs, long otherToNs) =>
        oneFromNs - (long)SettlingTime <= otherToNs && otherFromNs - (long)SettlingTime <= oneToNs;

    private bool TakeSuspension(long fromNs, long toNs) =>
        _suspensions.RemoveAll(suspension => IsNear(fromNs, toNs, suspension.FromNs, suspension.ToNs)) > 0;

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
        Begin(cause, Math.Max(toNs, last.EndNs + 1), RunningBound.Before(toNs - OriginNs));
    }
}
