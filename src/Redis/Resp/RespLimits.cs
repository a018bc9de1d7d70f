namespace RedisLatency.Redis.Resp;

/// <summary>
/// What a reader accepts before it calls the other side broken. No memory is taken before the bytes come.
/// </summary>
public sealed record RespLimits
{
    /// <summary>How deep arrays, maps and sets may lie in one another.</summary>
    public int MaxDepth { get; init; } = 32;

    /// <summary>The longest bulk string in bytes; the default is the server's own default, 512 MB.</summary>
    public long MaxBulkLength { get; init; } = 512L << 20;

    /// <summary>The longest whole reply in bytes.</summary>
    public int MaxFrameLength { get; init; } = 1 << 30;

    /// <summary>The longest simple string, error or number in bytes.</summary>
    public int MaxLineLength { get; init; } = 64 << 10;

    /// <summary>The limits used where none are given.</summary>
    public static RespLimits Default { get; } = new();
}
