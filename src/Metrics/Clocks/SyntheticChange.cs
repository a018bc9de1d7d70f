namespace RedisLatency.Metrics.Clocks;

/// <summary>A change of a clock by nanoseconds, or of its rate by a share; so many ns after the anchor.</summary>
internal readonly record struct SyntheticChange(SyntheticChangeKind Kind, double Amount, long AfterNs)
{
    public bool IsStand => Kind is SyntheticChangeKind.Suspension or SyntheticChangeKind.Freeze;

    public long EndsAfterNs => IsStand ? AfterNs + (long)Amount : AfterNs;
}

internal enum SyntheticChangeKind
{
    Step,

    /// <summary>Its crystal runs at another rate from here on, which nothing on the host shows.</summary>
    Skew,

    /// <summary>It is slewed from here on, which the watch over the host's clock sees.</summary>
    Slew,

    /// <summary>The host sleeps: the clock stands, then goes on from there. The watch sees it.</summary>
    Suspension,

    /// <summary>The clock stands, then is where it would have been. Nothing on the host shows it.</summary>
    Freeze,
}
