namespace RedisLatency.Redis.Client;

/// <summary>
/// How long a request that was refused for now waits before it is sent again: 1 ms, then twice as long each time, up to
/// 250 ms. A slot moves, or a script ends, within milliseconds; who waits longer is not to load the server that is
/// busy. There is no jitter, since the pause is part of a latency.
/// </summary>
public static class RetryPause
{
    private const int LongestMs = 250;

    /// <summary>The pause behind the first failure.</summary>
    public static TimeSpan First => After(0);

    /// <param name="retries">How often it was sent again before.</param>
    public static TimeSpan After(int retries) =>
        TimeSpan.FromMilliseconds(Math.Min(1L << Math.Min(retries, 20), LongestMs));
}
