namespace RedisLatency.Producer.Options;

/// <summary>Whether what hosts claim of their clocks narrows the bound of one-way latency.</summary>
internal enum ClaimUse
{
    /// <summary>Every accepted claim, of UTC and of a common clock; probes may refute them.</summary>
    Auto,

    /// <summary>None: probes alone.</summary>
    None,
}
