namespace RedisLatency.Metrics.Clocks;

/// <summary>Something that happens to a synthetic clock.</summary>
/// <param name="Kind">What.</param>
/// <param name="Amount">How far or how long, in nanoseconds; how much faster, as a share.</param>
/// <param name="AfterNs">When, in nanoseconds of the host's clock after the anchor.</param>
internal readonly record struct SyntheticChange(SyntheticChangeKind Kind, double Amount, long AfterNs)
{
    /// <summary>Whether the clock stands still for a time.</summary>
    public bool IsStand => Kind is SyntheticChangeKind.Suspension or SyntheticChangeKind.Freeze;

    /// <summary>When it is over: at once, unless the clock stands.</summary>
    public long EndsAfterNs => IsStand ? AfterNs + (long)Amount : AfterNs;
}

internal enum SyntheticChangeKind
{
    /// <summary>It jumps.</summary>
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
