namespace RedisLatency.Metrics.HostClocks;

/// <summary>Who claims that the wall clock is near UTC.</summary>
public enum UtcClaimSource
{
    /// <summary>The kernel: adjtimex's maximum error, which the daemon sets and the kernel grows.</summary>
    Kernel,

    /// <summary>chronyd, asked by its command protocol.</summary>
    Chrony,

    /// <summary>AWS ClockBound's shared memory.</summary>
    ClockBound,
}
