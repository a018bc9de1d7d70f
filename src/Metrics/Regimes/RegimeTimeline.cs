namespace RedisLatency.Metrics.Regimes;

/// <summary>
/// Sorts probes into regimes between which a clock jumped. A probe is tested by the drift bound once the rates of its
/// time are known; what contradicts waits, with all that comes after it, until others confirm a step or refute it; and
/// only then, a little later still, does it bound anything, so that what was under way during a step never does.
/// </summary>
internal sealed partial class RegimeTimeline(OffsetAssumptions assumptions, DriftBudget budget)
{
    /// <summary>How many probes of a new regime make a step; fewer are garbage.</summary>
    public const int Witnesses = 4;

    private const double LongestWaitForRates = 3.5e9;
    private const double SettlingTime = 1.5e9;
    private const double DriftCached = 0.1e9;
    private const double DriftSeen = 4e9;

    private readonly ProbeRing _ring = new();
    private readonly List<OffsetRegime> _regimes = [];
    private RunningBound _current;
    private long _tested;
    private int _nextId;
    private double _newestX = double.NegativeInfinity;
    private double _lastSettledX = double.NegativeInfinity;
    private double _drift;
    private double _driftFromX = double.NaN;

    /// <summary>The time from which all x count, on A's clock.</summary>
    public long OriginNs { get; private set; }

    /// <summary>When the earliest probe was sent, which need not have been the first to return.</summary>
    public long EarliestNs { get; private set; }

    /// <summary>The offset from which all y count.</summary>
    public long BaseNs { get; private set; }

    public bool HasStarted { get; private set; }

    /// <summary>The regimes of which windows are still to be made, in order.</summary>
    public IReadOnlyList<OffsetRegime> Regimes => _regimes;

    public Stack<OffsetSlice> Spare { get; } = new();
    public double TestedX { get; private set; } = double.NegativeInfinity;

    /// <summary>
    /// Before this, all probes have found their regime and their slice. While a step is in doubt it may have been as
    /// early as the last probe that has.
    /// </summary>
    public double SettledX => _rivals > 0 ? _lastSettledX : _ring.Head < _tested ? _ring[_ring.Head].SentX : TestedX;

    public RunningBound Current => _current;

    public long Contradicting { get; private set; }
    public long Straddling { get; private set; }
    public long Steps { get; private set; }

    /// <summary>How fast the offset may be drifting at an instant, in nanoseconds per nanosecond.</summary>
    public double DriftAt(double x)
    {
        if (!(x >= _driftFromX && x < _driftFromX + DriftCached))
        {
            // What was slewed since the last probe counts, however long ago that was.
            var seenFromX = Math.Min(x - DriftSeen, _current.AtX);
            _drift = budget.Between(OriginNs + (long)Math.Max(0, seenFromX), OriginNs + (long)x + 1);
            _driftFromX = x;
        }

        return _drift;
    }

    public void Append(in ClockProbe stamps, bool isClean, bool endsCleanPair)
    {
        if (!HasStarted)
        {
            HasStarted = true;
            OriginNs = EarliestNs = stamps.SentNs;
            BaseNs = stamps.ReceivedNs - stamps.SentNs;
        }

        EarliestNs = Math.Min(EarliestNs, stamps.SentNs);
        ref var probe = ref _ring.Append();
        probe = new TestedProbe
        {
            Stamps = stamps,
            SentX = stamps.SentNs - OriginNs,
            ReturnedX = stamps.ReturnedNs - OriginNs,
            IsClean = isClean,
            EndsCleanPair = endsCleanPair,
        };
        _newestX = Math.Max(_newestX, probe.ReturnedX);
        Advance();
    }

    public void Advance()
    {
        while (_tested < _ring.Tail && MayTest(_ring[_tested]))
            TestNext();
        Settle(force: false);
    }

    /// <summary>No more probes come: what is open is decided.</summary>
    public void Flush()
    {
        while (_tested < _ring.Tail)
            TestNext();
        DecideRivals();
        Settle(force: true);
    }

    public void RemoveFirst()
    {
        _regimes[0].Release(Spare);
        _regimes.RemoveAt(0);
    }

    private bool MayTest(in TestedProbe probe) =>
        budget.Knows(probe.Stamps.ReturnedNs) || probe.ReturnedX < _newestX - LongestWaitForRates || IsCrowded;

    private bool MayBeGarbage => _ring.Head == 0 && _nextId == 1 && _current.Members < Witnesses;

    private bool IsCrowded => _ring.Tail - _ring.Head > ProbeRing.Limit / 2;

    private void TestNext()
    {
        ref var probe = ref _ring[_tested];
        var drift = DriftAt(probe.ReturnedX);
        Bound(ref probe, drift);
        TestedX = Math.Max(TestedX, probe.ReturnedX);
        if (_regimes.Count == 0)
            Begin(OffsetBreak.Start, OriginNs, RunningBound.Before(probe.SentX));
        probe.Regime = _regimes[^1].Id;
        if (probe.Stamps.SentNs < _regimes[^1].StartNs && _regimes[^1].Cause != OffsetBreak.Start)
        {
            probe.Verdict = ProbeVerdict.Straddling;
        }
        else if (probe.Low - probe.High > drift * (probe.ReturnedX - probe.SentX))
        {
            probe.Verdict = ProbeVerdict.Contradicting;
        }
        else if (_rivals == 0 && _current.Agrees(probe, drift))
        {
            probe.Verdict = ProbeVerdict.Accepted;
            _current.Narrow(probe, drift);
            Witness(probe, drift);
        }
        else
        {
            Vote(ref probe, drift);
        }

        _tested++;
        if (_rivals > 0 && (IsCrowded || HasWaitedTooLong))
            DecideRivals();
        if (_rivals == 0)
            SplitWhereSuspended();
    }

    /// <summary>A floor is a time of the consumer's clock here, which may run slow by the drift.</summary>
    private void Bound(ref TestedProbe probe, double drift)
    {
        var stamps = probe.Stamps;
        var reading = 2.0 * assumptions.StampErrorNs;
        probe.High = stamps.ReceivedNs - stamps.SentNs - BaseNs - (assumptions.ForwardFloorNs * (1 - drift)) + reading;
        probe.Low = stamps.EchoedNs - stamps.ReturnedNs - BaseNs + (assumptions.BackFloorNs * (1 - drift)) - reading;
    }

    private void Begin(OffsetBreak cause, long startNs, RunningBound bound)
    {
        _regimes.Add(new OffsetRegime(_nextId++, cause, startNs, OriginNs));
        _current = bound;
    }

    private void Settle(bool force)
    {
        var until = Math.Min(_tested, _rivals == 0 ? long.MaxValue : FirstSuspect);
        while (_ring.Head < until)
        {
            ref var probe = ref _ring[_ring.Head];
            if (!force && !IsCrowded
                && (probe.ReturnedX >= TestedX - SettlingTime || MayBeGarbage || MayBeAfterSuspension(probe)))
                return;
            Count(probe);
            if (probe.Verdict == ProbeVerdict.Straddling)
                RegimeAfter(probe).TakeStraddling(probe);
            else
                RegimeOf(probe).Take(probe, Spare);
            if (probe.Verdict == ProbeVerdict.Accepted)
                _lastSettledX = Math.Max(_lastSettledX, probe.SentX);
            _ring.RemoveHead();
        }
    }

    private void Count(in TestedProbe probe)
    {
        if (probe.Verdict == ProbeVerdict.Contradicting)
            Contradicting++;
        else if (probe.Verdict == ProbeVerdict.Straddling)
            Straddling++;
    }

    private OffsetRegime RegimeAfter(in TestedProbe probe)
    {
        foreach (var regime in _regimes)
        {
            if (regime.StartNs > probe.Stamps.SentNs)
                return regime;
        }

        return _regimes[^1];
    }

    private OffsetRegime RegimeOf(in TestedProbe probe)
    {
        foreach (var regime in _regimes)
        {
            if (regime.Id == probe.Regime)
                return regime;
        }

        return _regimes[0];
    }
}

/// <summary>Probes that contradict the regime and agree with each other: a step, or garbage.</summary>
internal struct RivalRegime
{
    public int Id;

    public RunningBound Bound;

    public long First;

    /// <summary>The earliest instant at which the offset is certainly the new one.</summary>
    public double CertainX;
}
