namespace RedisLatency.Redis.Resp;

/// <summary>
/// What a reader accepts before it calls the other side broken: as much as its role has use for. No memory is taken
/// before the bytes come.
/// </summary>
public sealed record RespLimits
{
    /// <summary>How deep arrays, maps and sets may lie in one another.</summary>
    public int MaxDepth { get; init; } = 32;

    /// <summary>How many elements a reply may have, those of its arrays, maps and sets included.</summary>
    public long MaxElements { get; init; } = long.MaxValue;

    /// <summary>The longest bulk string in bytes; the default is the server's own default, 512 MB.</summary>
    public long MaxBulkLength { get; init; } = 512L << 20;

    /// <summary>The longest whole reply in bytes.</summary>
    public int MaxFrameLength { get; init; } = 1 << 30;

    /// <summary>The longest simple string, error or number in bytes.</summary>
    public int MaxLineLength { get; init; } = 64 << 10;

    /// <summary>
    /// A longer bulk string is read as an empty one, and its bytes are dropped as they come; null keeps all. For
    /// messages: who publishes too long a one is not the server.
    /// </summary>
    public long? LongestKept { get; init; }

    /// <summary>The limits used where none are given.</summary>
    public static RespLimits Default { get; } = new();

    /// <summary>For the login, and for questions with a short answer.</summary>
    public static RespLimits Control { get; } = new()
    {
        MaxElements = 16 << 10,
        MaxBulkLength = 64 << 10,
        MaxFrameLength = 64 << 10,
    };

    /// <summary>For answers that grow with a cluster's nodes and slots, or with the server's commands.</summary>
    public static RespLimits List { get; } = new()
    {
        MaxElements = 1 << 20,
        MaxBulkLength = 8 << 20,
        MaxFrameLength = 8 << 20,
    };

    /// <summary>For values.</summary>
    /// <param name="longest">The longest that was written, in bytes.</param>
    /// <param name="count">How many are asked for at once.</param>
    public static RespLimits OfValues(long longest, int count)
    {
        const int HeaderAndEnd = 32;
        return new()
        {
            MaxElements = Math.Max(List.MaxElements, 2L * count),
            MaxBulkLength = Math.Max(longest, Control.MaxBulkLength),
            MaxFrameLength =
                (int)Math.Clamp(count * (longest + HeaderAndEnd), List.MaxFrameLength, Default.MaxFrameLength),
        };
    }

    /// <summary>For a connection that is subscribed.</summary>
    /// <param name="longest">The longest message in bytes.</param>
    /// <param name="more">Room for the channel's name and what came along.</param>
    internal static RespLimits OfMessages(int longest, int more) => Control with
    {
        MaxBulkLength = Default.MaxBulkLength,
        MaxFrameLength = longest + more,
        LongestKept = longest,
    };
}
