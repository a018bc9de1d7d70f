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

/// <summary>
/// The quickest probe of each moment of a second: of a tenth, or of as many as had probes enough. What a clock does and
/// undoes between two of these shows in none; at each of them the offset was inside that probe's own interval.
/// </summary>
internal sealed class ProbeMoments
{
    private const int Tenths = 10;

    // Of fewer none need have been quick, whatever the route.
    private const int FewestProbes = 8;

    private readonly Moment[] _tenths = new Moment[Tenths];
    private readonly Moment[] _moments = new Moment[Tenths];
    private int _count;
    private bool _isParted;

    public void Clear()
    {
        Array.Clear(_tenths);
        _isParted = false;
    }

    /// <summary>Takes a probe by when in the second it was sent.</summary>
    public void Add(double sentX, double roundTripNs)
    {
        var part = sentX / OffsetRegime.SliceNs;
        ref var tenth = ref _tenths[Math.Clamp((int)((part - Math.Floor(part)) * Tenths), 0, Tenths - 1)];
        tenth = tenth.With(new Moment(1, sentX, roundTripNs));
        _isParted = false;
    }

    public ReadOnlySpan<Moment> All
    {
        get
        {
            if (!_isParted)
                Part();
            return _moments.AsSpan(0, _count);
        }
    }

    private void Part()
    {
        (_count, _isParted) = (0, true);
        var moment = default(Moment);
        foreach (ref readonly var tenth in _tenths.AsSpan())
        {
            moment = moment.With(tenth);
            if (moment.Probes < FewestProbes)
                continue;
            _moments[_count++] = moment;
            moment = default;
        }

        if (moment.Probes == 0)
            return;
        if (_count == 0)
            _moments[_count++] = moment;
        else
            _moments[_count - 1] = _moments[_count - 1].With(moment);
    }

    /// <summary>The probes of a moment.</summary>
    /// <param name="Probes">How many there were; 0: none, and nothing else is known.</param>
    /// <param name="QuickestX">When the quickest was sent.</param>
    /// <param name="QuickestNs">How much it left open: its round trip less floors.</param>
    public readonly record struct Moment(int Probes, double QuickestX, double QuickestNs)
    {
        public Moment With(Moment other) => other.Probes == 0 ? this
            : (Probes == 0 || other.QuickestNs < QuickestNs ? other : this) with { Probes = Probes + other.Probes };
    }
}
