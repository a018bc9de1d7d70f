namespace RedisLatency.Metrics.Regimes;

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
