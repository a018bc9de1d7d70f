using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Reconnect;
using RedisLatency.Replication.Delay.Keys;

namespace RedisLatency.Replication.Delay.Ends;

/// <summary>A connection that is opened again when it is lost, as long as the options allow.</summary>
internal sealed class LastingPipeline(
    ResolvedTarget target, string role, TimeSpan limit, SessionEvents events, IStopToken stop) : IDisposable
{
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(500);

    /// <summary>The connection; another one after <see cref="Restore"/>.</summary>
    public RedisPipeline Current { get; private set; } = Open(target, role);

    /// <summary>How often it was lost.</summary>
    public int Losses { get; private set; }

    /// <summary>Opens it again.</summary>
    /// <returns>False where a request to stop came first.</returns>
    /// <exception cref="TargetLostException">It could not be had back in time, or never will be.</exception>
    public bool Restore(RedisException reason)
    {
        Losses++;
        Current.Dispose();
        var lostAt = MonotonicClock.NowNs();
        events.Note("disconnected", $"{role}: {reason.Message}");
        var backoff = new JitteredBackoff(limit: LongestPause);
        while (true)
        {
            try
            {
                Current = Open(target, role);
                var took = MonotonicClock.NowNs() - lostAt;
                events.Note("reconnected", $"{role}: {target.Name} after {Quantity.Duration(took)}");
                return true;
            }
            catch (RedisException failure)
            {
                var elapsed = TimeSpan.FromTicks((MonotonicClock.NowNs() - lostAt) / TimeSpan.NanosecondsPerTick);
                if (!failure.IsTransient || elapsed >= limit)
                    throw new TargetLostException($"{role} was lost and did not come back: {failure.Message}", failure);
            }

            if (stop.WaitUntilRequested(backoff.Next()))
                return false;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Current.Dispose();

    private static RedisPipeline Open(ResolvedTarget target, string role) => RedisPipeline.Open(
        target.Endpoint, target.Connection with { ClientName = $"redislatency-{role}" });
}
