namespace RedisLatency.Sync.Filters;

internal static class UnixTime
{
    public static long NowMs() => TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds();
}
