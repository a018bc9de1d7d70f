namespace RedisLatency.Server.Commands;

/// <summary>How a time to live is given: from now, or (At) since the Unix epoch.</summary>
internal enum ExpiryUnit
{
    Seconds,

    Milliseconds,

    AtMilliseconds,
}
