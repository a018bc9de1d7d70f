using RedisLatency.Metrics.Clocks.Offsets.Envelopes;

namespace RedisLatency.Metrics.Clocks.Offsets.Regimes;

/// <summary>What the probes so far say of the offset now, by the drift bound alone.</summary>
internal struct RunningBound
{
    /// <summary>The latest instant of its probes.</summary>
    public double AtX { get; private set; }

    /// <summary>What the offset may be then.</summary>
    public OffsetInterval Interval { get; private set; }

    /// <summary>How many different probes it rests on.</summary>
    public int Members { get; private set; }

    private double _lastSentX;

    /// <summary>The bound before any probe.</summary>
    public static RunningBound Before(double x) =>
        new() { AtX = x, Interval = OffsetInterval.Everything, _lastSentX = double.NaN };

    /// <summary>The bound by one probe.</summary>
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
            Interval = Interval.Grow(drift * (probe.ReturnedX - AtX));
            AtX = probe.ReturnedX;
        }

        Interval = Interval.Intersect(new OffsetInterval(
            probe.Low - (drift * (AtX - probe.ReturnedX)), probe.High + (drift * Math.Abs(AtX - probe.SentX))));

        // A datagram that came twice is one witness.
        if (probe.SentX != _lastSentX)
            Members++;
        _lastSentX = probe.SentX;
    }
}
