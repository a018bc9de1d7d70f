namespace RedisLatency.Metrics.Regimes;

/// <summary>How fast the offset may move: both oscillators' error, and how far both clocks are slewed.</summary>
internal sealed class DriftBudget(OffsetAssumptions assumptions)
{
    private const double PerMillion = 1e-6;

    private readonly SampledRates[] _rates =
        [new(assumptions.UnsampledSlewPpm), new(assumptions.UnsampledSlewPpm)];

    /// <summary>Slews that differ by more than this are no longer one line, in parts per million.</summary>
    public const double RateChangePpm = 1;

    /// <summary>How far either oscillator may run from true time: as assumed, or as seen if that is more.</summary>
    public double OscillatorPpm { get; private set; } = assumptions.OscillatorPpm;

    /// <summary>
    /// Probes show that the offset moved faster than assumed: the oscillators are as bad as probes leave room for.
    /// </summary>
    public void Learn(long fromNs, long toNs, double fastestDrift)
    {
        if (fastestDrift - Between(fromNs, toNs) is > 0 and var missing)
            OscillatorPpm += missing / PerMillion / 2;
    }

    public void Add(ClockSide side, long atNs, double ppm) => _rates[(int)side].Add(atNs, ppm);

    /// <summary>No more rates come.</summary>
    public void Complete() => Array.ForEach(_rates, rates => rates.Complete());

    /// <summary>Whether the rates of an instant are known, as far as anybody samples them.</summary>
    public bool Knows(long atNs) => _rates[0].Knows(atNs) && _rates[1].Knows(atNs);

    /// <summary>
    /// The most that the offset may have moved in an interval, in nanoseconds per nanosecond: with rates 1 + a and
    /// 1 + b the offset moves by (b - a) / (1 + a) per nanosecond of A.
    /// </summary>
    public double Between(long fromNs, long toNs)
    {
        var producer = SideAt(ClockSide.Producer, fromNs, toNs);
        return (producer + SideAt(ClockSide.Consumer, fromNs, toNs)) / (1 - producer);
    }

    /// <summary>How fast a clock may have run from true time in an interval, as a share.</summary>
    private double SideAt(ClockSide side, long fromNs, long toNs) => PerMillion * Math.Min(500_000,
        OscillatorPpm + _rates[(int)side].LargestPpm(fromNs, toNs));

    /// <summary>Widens both clocks' ranges of sampled slews; false where one is too wide for one line.</summary>
    public bool TryWiden(ref SlewSpread spread, long fromNs, long toNs)
    {
        var wider = spread.Including(_rates[0].Range(fromNs, toNs), _rates[1].Range(fromNs, toNs));
        if (wider.LargestPpm > RateChangePpm)
            return false;
        spread = wider;
        return true;
    }
}

/// <summary>How far the sampled slews of the two clocks spread, in parts per million.</summary>
internal readonly record struct SlewSpread((double Low, double High)? Producer, (double Low, double High)? Consumer)
{
    public double LargestPpm => Math.Max(Width(Producer), Width(Consumer));

    /// <summary>How far the offset's rate spreads by them.</summary>
    public double TotalPpm => Width(Producer) + Width(Consumer);

    public SlewSpread Including((double Low, double High)? producer, (double Low, double High)? consumer) =>
        new(Join(Producer, producer), Join(Consumer, consumer));

    private static (double Low, double High)? Join((double Low, double High)? one, (double Low, double High)? other) =>
        one is var (low, high) && other is var (otherLow, otherHigh)
            ? (Math.Min(low, otherLow), Math.Max(high, otherHigh))
            : one ?? other;

    private static double Width((double Low, double High)? range) => range is var (low, high) ? high - low : 0;
}
