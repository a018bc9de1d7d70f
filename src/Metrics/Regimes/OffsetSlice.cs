namespace RedisLatency.Metrics.Regimes;

/// <summary>What one second's probes say of the offset: only the two hulls are kept of the points.</summary>
internal sealed class OffsetSlice
{
    public long Index { get; private set; }
    public LowerHull Upper { get; } = new();

    /// <summary>Lower points, mirrored: the offset was at least -y at x.</summary>
    public LowerHull Mirrored { get; } = new();

    public int Probes { get; private set; }
    public int Accepted { get; private set; }
    public int Contradicting { get; private set; }
    public long MinNetworkNs { get; private set; }

    /// <summary>The least that a probe sent in it left open: round trip less floors; infinity without any.</summary>
    public double QuickestNs { get; private set; }

    /// <summary>The quickest probes of the moments in it.</summary>
    public ProbeMoments Moments { get; } = new();

    private int _cleanProbes;
    private double _cleanXSum;
    private double _cleanMiddleSum;

    public void Restart(long index)
    {
        Index = index;
        Upper.Clear();
        Mirrored.Clear();
        Probes = Accepted = Contradicting = _cleanProbes = 0;
        MinNetworkNs = -1;
        IsDoubted = false;
        QuickestNs = double.PositiveInfinity;
        Moments.Clear();
        _cleanXSum = _cleanMiddleSum = 0;
    }

    /// <summary>Counts a probe that was sent in this second and bounds the offset.</summary>
    public void CountSent(in TestedProbe probe)
    {
        Probes++;
        var networkNs = Math.Max(0, probe.Stamps.NetworkNs);
        MinNetworkNs = MinNetworkNs < 0 ? networkNs : Math.Min(MinNetworkNs, networkNs);
        QuickestNs = Math.Min(QuickestNs, probe.High - probe.Low);
        Moments.Add(probe.SentX, probe.High - probe.Low);
        if (probe.EndsCleanPair)
            Accepted++;
        if (!probe.IsClean)
            return;
        _cleanProbes++;
        _cleanXSum += (probe.SentX + probe.ReturnedX) / 2;
        _cleanMiddleSum += (probe.High + probe.Low) / 2;
    }

    public void CountContradicting() => Contradicting++;

    /// <summary>Whether a probe that contradicts the others was under way in it.</summary>
    public bool IsDoubted { get; set; }

    /// <summary>
    /// The mean of the midpoints of the probes that met no queue, at an instant: the queues of pairs that are alike
    /// both ways are what a midpoint errs by, so these average where all probes' midpoints must not.
    /// </summary>
    public double? CodedMiddleAt(double x, double slope) =>
        _cleanProbes == 0 ? null : (_cleanMiddleSum / _cleanProbes) + (slope * (x - (_cleanXSum / _cleanProbes)));
}
