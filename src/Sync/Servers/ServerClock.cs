using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Sync.Servers;

/// <summary>
/// A server's clock as it goes on from a moment between two at which it was read: keys expire by it, and not by this
/// machine's, which may be wrong or be set.
/// </summary>
internal sealed record ServerClock(long ReadMs, long BeforeMs, long AfterMs)
{
    public static ServerClock OfThisMachine => new(
        TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds(), MonotonicMs, MonotonicMs);

    public long NowMs => ReadMs - ((BeforeMs + AfterMs) / 2) + MonotonicMs;

    public static long MonotonicMs => MonotonicClock.NowNs() / 1_000_000;

    /// <returns>Null where this user may not ask.</returns>
    public static ServerClock? Ask(RedisConnection server)
    {
        var before = MonotonicMs;
        var info = server.Request("INFO", "server");
        if (!info.IsError && long.TryParse(
            ServerFacts.FieldsOf(info.Text).GetValueOrDefault("server_time_usec"), CultureInfo.InvariantCulture,
            out var microseconds))
        {
            return new(microseconds / 1000, before, MonotonicMs);
        }

        // INFO does not say it before Redis 7.
        before = MonotonicMs;
        return server.Request("TIME") is { IsError: false, Items: [var seconds, var rest] }
            ? new(
                (long.Parse(seconds.Text, CultureInfo.InvariantCulture) * 1000)
                    + (long.Parse(rest.Text, CultureInfo.InvariantCulture) / 1000),
                before, MonotonicMs)
            : null;
    }

    /// <summary>How far it is ahead of another at least; less than zero where it may be behind.</summary>
    public long AheadOf(ServerClock other) => ReadMs - AfterMs - (other.ReadMs - other.BeforeMs);
}
