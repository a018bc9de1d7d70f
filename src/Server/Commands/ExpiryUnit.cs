namespace RedisLatency.Server.Commands;

/// <summary>How a time to live is given.</summary>
internal enum ExpiryUnit
{
    /// <summary>Seconds from now.</summary>
    Seconds,

    /// <summary>Milliseconds from now.</summary>
    Milliseconds,

    /// <summary>Seconds since the Unix epoch.</summary>
    AtSeconds,

    /// <summary>Milliseconds since the Unix epoch.</summary>
    AtMilliseconds,
}
