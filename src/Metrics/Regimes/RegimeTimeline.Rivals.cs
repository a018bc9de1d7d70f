namespace RedisLatency.Metrics.Regimes;

/// <content>What becomes of probes that contradict the regime.</content>
internal sealed partial class RegimeTimeline
{
    private const int MostRivals = 4;
    private const double LongestDoubt = 10e9;
    private const int FewestInDoubt = 16;
    private const double LongestStop = 0.1e9;

    private readonly RivalRegime[] _rival = new RivalRegime[MostRivals];
    private int _rivals;
    private int _nextRivalId;
    private long _doubtFrom;
    private RunningBound _witnessed;
    private int _unwitnessed;

    private long FirstSuspect
    {
        get
        {
            var first = _rival[0].First;
            for (var i = 1; i < _rivals; i++)
                first = Math.Min(first, _rival[i].First);
            return first;
        }
    }

    private bool HasWaitedTooLong =>
        _tested - FirstSuspect >= FewestInDoubt && TestedX - _ring[FirstSuspect].ReturnedX > LongestDoubt;

    private void Vote(ref TestedProbe probe, double drift)
    {
        if (_current.Agrees(probe, drift))
        {
            probe.Verdict = ProbeVerdict.Accepted;
            VoteAgainstRivals(probe, drift);
            return;
        }

        probe.Verdict = ProbeVerdict.Suspect;
        var joined = -1;
        for (var i = 0; i < _rivals; i++)
        {
            if (_rival[i].Bound.Agrees(probe, drift)
                && (joined < 0 || _rival[i].Bound.Members > _rival[joined].Bound.Members))
                joined = i;
        }

        if (joined < 0)
        {
            AddRival(ref probe, drift);
            return;
        }

        ref var rival = ref _rival[joined];
        probe.Regime = rival.Id;
        rival.Bound.Narrow(probe, drift);
        rival.CertainX = Math.Min(rival.CertainX, probe.ReturnedX);
        if (rival.Bound.Members >= Witnesses)
            Confirm(joined, _tested + 1);
    }

    /// <summary>A probe sent when the offset would surely have been the rival's, and is not, refutes it.</summary>
    private void VoteAgainstRivals(in TestedProbe probe, double drift)
    {
        for (var i = _rivals - 1; i >= 0; i--)
        {
            if (probe.SentX > _rival[i].CertainX && !_rival[i].Bound.Agrees(probe, drift))
                Refute(i, _tested);
        }

        if (_rivals == 0)
            Narrow(_regimes[^1].Id, _doubtFrom, _tested + 1);
    }

    private void AddRival(ref TestedProbe probe, double drift)
    {
        if (_rivals == MostRivals)
        {
            var weakest = 0;
            for (var i = 1; i < _rivals; i++)
            {
                if (_rival[i].Bound.Members < _rival[weakest].Bound.Members)
                    weakest = i;
            }

            Refute(weakest, _tested);
        }

        if (_rivals == 0)
            _doubtFrom = _tested;
        probe.Regime = _nextRivalId++;
        _rival[_rivals++] = new RivalRegime
        {
            Id = probe.Regime,
            Bound = RunningBound.Of(probe, drift),
            First = _tested,
            CertainX = probe.ReturnedX,
        };
    }

    /// <summary>Those who followed a rival contradict the rest.</summary>
    private void Refute(int refuted, long until)
    {
        for (var number = Math.Max(_ring.Head, _rival[refuted].First); number < until; number++)
        {
            ref var probe = ref _ring[number];
            if (probe.Verdict != ProbeVerdict.Suspect || probe.Regime != _rival[refuted].Id)
                continue;
            probe.Verdict = ProbeVerdict.Contradicting;
            probe.Regime = _regimes[^1].Id;
        }

        _rival[refuted] = _rival[--_rivals];
    }

    /// <summary>There is no more time: two who agree with each other make a step, one alone is garbage.</summary>
    private void DecideRivals()
    {
        while (_rivals > 0)
        {
            var strongest = 0;
            for (var i = 1; i < _rivals; i++)
            {
                if (_rival[i].Bound.Members > _rival[strongest].Bound.Members)
                    strongest = i;
            }

            if (_rival[strongest].Bound.Members > 1)
                Confirm(strongest, _tested);
            else
                Refute(strongest, _tested);
        }

        if (_regimes.Count > 0)
            Narrow(_regimes[^1].Id, _doubtFrom, _tested);
    }

    /// <summary>
    /// The clock jumped. The old offset held for certain until the last probe that contradicts the new one was sent,
    /// the new one from when the first that contradicts the old one returned; what was under way in between bounds
    /// nothing.
    /// </summary>
    private void Confirm(int confirmed, long until)
    {
        var rival = _rival[confirmed];
        var oldId = _regimes[^1].Id;
        var drift = _drift;
        if (TryLearnRate(oldId, rival, drift, until))
        {
            Replace(rival, oldId, until, isLine: true);
            return;
        }

        if (IsGarbage(oldId, rival, drift, until))
        {
            Replace(rival, oldId, until);
            return;
        }

        var oldX = OldestX;
        for (var number = _ring.Head; number < until; number++)
        {
            ref var probe = ref _ring[number];
            if (IsOf(probe, oldId) && !rival.Bound.Agrees(probe, drift))
                oldX = Math.Max(oldX, probe.SentX);
        }

        Steps++;
        // A clock that stops moves by a round trip in a round trip, and no probe contradicts another before that.
        var stoppedNs = double.IsFinite(_current.QuickestNs) ? Math.Min(_current.QuickestNs, LongestStop) : 0;
        var fromNs = OriginNs + (long)(Math.Min(oldX, rival.CertainX) - stoppedNs);
        rival.CertainX = Math.Max(oldX, rival.CertainX) + stoppedNs;
        var toNs = OriginNs + (long)rival.CertainX;
        Split(TakeSuspension(fromNs, toNs) ? OffsetBreak.Suspended : OffsetBreak.Step, fromNs, toNs);
        Reassign(rival, oldId, oldX, until);
        (_witnessed, _unwitnessed) = (rival.Bound, Witnesses);
        _rivals = 0;
        Narrow(_regimes[^1].Id, _ring.Head, until);
    }

    /// <summary>
    /// The first probes of a regime agree with those that made it one, or what those saw was over before: then nobody
    /// knows when.
    /// </summary>
    private void Witness(in TestedProbe probe, double drift)
    {
        if (_unwitnessed == 0)
            return;
        _unwitnessed--;
        _regimes[^1].BeganInDoubt |= !_witnessed.Agrees(probe, drift);
    }

    private double OldestX => Math.Max(_regimes[^1].StartNs - OriginNs, _lastSettledX);

    private static bool IsOf(in TestedProbe probe, int regime) =>
        probe.Verdict == ProbeVerdict.Accepted && probe.Regime == regime;

    /// <summary>Whether the very first probes were garbage, so that there is nothing to step from.</summary>
    private bool IsGarbage(int oldId, in RivalRegime rival, double drift, long until)
    {
        if (oldId != 0 || _ring.Head > 0 || _current.Members >= Witnesses)
            return false;
        var contradicting = 0;
        for (var number = 0L; number < until; number++)
        {
            if (IsOf(_ring[number], oldId) && !rival.Bound.Agrees(_ring[number], drift))
                contradicting++;
        }

        return contradicting < rival.Bound.Members;
    }

    /// <summary>
    /// Whether a line suits all that is known of the regime and the rival, if only the clocks part faster than was
    /// assumed: then none has jumped.
    /// </summary>
    private bool TryLearnRate(int oldId, in RivalRegime rival, double drift, long until)
    {
        var line = new LinearEnvelope();
        var (fromX, toX) = (double.PositiveInfinity, double.NegativeInfinity);
        for (var number = _ring.Head; number < until; number++)
        {
            ref var probe = ref _ring[number];
            if (!IsOf(probe, oldId) && !(probe.Verdict == ProbeVerdict.Suspect && probe.Regime == rival.Id))
                continue;
            line.AddUpper(probe.SentX * 1e-9, probe.High);
            line.AddLower(probe.ReturnedX * 1e-9, probe.Low);
            (fromX, toX) = (Math.Min(fromX, probe.SentX), Math.Max(toX, probe.ReturnedX));
        }

        const double SteepestPpm = 1_000;
        var steepest = SteepestPpm * 1e3;
        if (!line.TrySolve(0, -steepest, steepest) || (line.SlopeLow <= drift * 1e9 && line.SlopeHigh >= -drift * 1e9))
            return false;
        budget.Learn(OriginNs + (long)fromX, OriginNs + (long)toX, line.SteepestSlope * 1e-9);
        _driftFromX = double.NaN;
        return true;
    }

    private void Replace(in RivalRegime rival, int regime, long until, bool isLine = false)
    {
        for (var number = _ring.Head; number < until; number++)
        {
            ref var probe = ref _ring[number];
            if (probe.Verdict == ProbeVerdict.Suspect && probe.Regime == rival.Id)
                probe.Verdict = ProbeVerdict.Accepted;
            else if (probe.Verdict == ProbeVerdict.Suspect || (!isLine && !rival.Bound.Agrees(probe, _drift)))
                probe.Verdict = ProbeVerdict.Contradicting;
            probe.Regime = regime;
        }

        _rivals = 0;
        _current = RunningBound.Before(0);
        _ = DriftAt(TestedX);
        Narrow(regime, _ring.Head, until);
    }

    private void Reassign(in RivalRegime rival, int oldId, double oldX, long until)
    {
        for (var number = _ring.Head; number < until; number++)
        {
            ref var probe = ref _ring[number];
            if (probe.Verdict == ProbeVerdict.Suspect)
            {
                var follows = probe.Regime == rival.Id;
                var isAfter = probe.SentX >= rival.CertainX;
                probe.Verdict = !isAfter ? ProbeVerdict.Straddling
                    : follows ? ProbeVerdict.Accepted : ProbeVerdict.Contradicting;
                probe.Regime = _regimes[^1].Id;
            }
            else if (IsOf(probe, oldId) && probe.ReturnedX > oldX)
            {
                if (probe.SentX < rival.CertainX || !rival.Bound.Agrees(probe, _drift))
                    probe.Verdict = ProbeVerdict.Straddling;
                else
                    probe.Regime = _regimes[^1].Id;
            }
        }
    }

    /// <summary>Lets the running bound take what has been found to be of a regime.</summary>
    private void Narrow(int regime, long from, long until)
    {
        for (var number = Math.Max(from, _ring.Head); number < until; number++)
        {
            if (IsOf(_ring[number], regime))
                _current.Narrow(_ring[number], _drift);
        }
    }
}
