namespace RedisLatency.Metrics.Regimes;

/// <summary>What the probes of the last seconds say of the offset now, by the drift bound alone.</summary>
internal struct RunningBound
{
    // What is longer ago may have been before a change that no probe contradicted.
    private const double Memory = 2e9;

    /// <summary>The latest instant of its probes.</summary>
    public double AtX { get; private set; }

    public OffsetInterval Interval { get; private set; }

    /// <summary>The shortest round trip of its probes, less floors; infinity before any.</summary>
    public double QuickestNs { get; private set; }

    public int Members { get; private set; }

    private double _lastSentX;
    private OffsetInterval _recent;
    private double _recentFromX;
    private double _recentQuickestNs;

    public static RunningBound Before(double x) => new()
    {
        AtX = x,
        Interval = OffsetInterval.Everything,
        QuickestNs = double.PositiveInfinity,
        _lastSentX = double.NaN,
        _recent = OffsetInterval.Everything,
        _recentFromX = x,
        _recentQuickestNs = double.PositiveInfinity,
    };

    public static RunningBound Of(in TestedProbe probe, double drift)
    {
        var bound = Before(probe.ReturnedX);
        bound.Narrow(probe, drift);
        return bound;
    }

    /// <summary>Whether a probe can be of the same clocks, if the offset drifts no faster than this.</summary>
    public readonly bool Agrees(in TestedProbe probe, double drift) =>
        probe.High >= Interval.Low - (drift * Math.Abs(probe.SentX - AtX))
        && probe.Low <= Interval.High + (drift * Math.Abs(probe.ReturnedX - AtX));

    public void Narrow(in TestedProbe probe, double drift)
    {
        if (probe.ReturnedX > AtX)
        {
            var growth = drift * (probe.ReturnedX - AtX);
            Interval = Interval.Grow(growth);
            _recent = _recent.Grow(growth);
            AtX = probe.ReturnedX;
            if (AtX - _recentFromX > Memory && _recent.IsBounded)
            {
                (Interval, QuickestNs) = (_recent, _recentQuickestNs);
                (_recent, _recentQuickestNs) = (OffsetInterval.Everything, double.PositiveInfinity);
                _recentFromX = AtX;
            }
        }

        var bound = new OffsetInterval(
            probe.Low - (drift * (AtX - probe.ReturnedX)), probe.High + (drift * Math.Abs(AtX - probe.SentX)));
        Interval = Interval.Intersect(bound);
        _recent = _recent.Intersect(bound);
        QuickestNs = Math.Min(QuickestNs, probe.High - probe.Low);
        _recentQuickestNs = Math.Min(_recentQuickestNs, probe.High - probe.Low);

        // A datagram that came twice is one witness.
        if (probe.SentX != _lastSentX)
            Members++;
        _lastSentX = probe.SentX;
    }
}
