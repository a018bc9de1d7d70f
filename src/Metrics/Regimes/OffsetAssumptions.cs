namespace RedisLatency.Metrics.Regimes;

/// <summary>What the bound of an offset rests on: it holds as long as these do. Results print them with it.</summary>
public sealed record OffsetAssumptions
{
    /// <summary>The least time a message takes from A to B, in nanoseconds (geography).</summary>
    /// <value>The default is 0.</value>
    public long ForwardFloorNs { get; init; }

    /// <summary>The least time a message takes from B to A, in nanoseconds.</summary>
    /// <value>The default is 0.</value>
    public long BackFloorNs { get; init; }

    /// <summary>How far the oscillator of either host may run from true time, in parts per million.</summary>
    /// <value>The default is 50, ClockBound's advice.</value>
    public double OscillatorPpm { get; init; } = 50;

    /// <summary>
    /// How fast a clock may be slewed while nobody samples its rate against its oscillator, in parts per million.
    /// </summary>
    /// <value>The default is 500, the most the kernel's own discipline does.</value>
    public double UnsampledSlewPpm { get; init; } = 500;

    /// <summary>
    /// How far the difference of the two oscillators' frequencies may leave its mean within a minute, in parts per
    /// million.
    /// </summary>
    /// <value>The default is 0.1.</value>
    public double WanderPpm { get; init; } = 0.1;

    /// <summary>How far a stamp may be from what its clock stood at, in nanoseconds (granularity, reading).</summary>
    /// <value>The default is 100, a tick of the clock of Windows.</value>
    public long StampErrorNs { get; init; } = 100;

    /// <summary>Whether what hosts claim of their clocks narrows the bound.</summary>
    /// <value>The default is <see langword="true"/>.</value>
    public bool UsesClaims { get; init; } = true;
}
