namespace RedisLatency.Messaging.Frames;

/// <summary>How long payloads are: always the same, or evenly spread over a range. Bytes.</summary>
/// <param name="Min">The shortest, from 0.</param>
/// <param name="Max">The longest, at most 1 MiB.</param>
public readonly record struct PayloadSize(int Min, int Max)
{
    /// <summary>Whether every payload has the same length.</summary>
    public bool IsConstant => Min == Max;
}
