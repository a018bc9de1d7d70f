using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

/// <summary>
/// Waits while a server that is reached refuses to be read, as long as it may come to its senses. One thread.
/// </summary>
internal sealed class RefusalPatience(string label, TimeSpan limit, SessionEvents events)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    private long _unableSinceNs;

    public void Wait(RedisServerException refusal)
    {
        var now = MonotonicClock.NowNs();
        if (_unableSinceNs == 0)
        {
            _unableSinceNs = now;
            events.Note("unable", $"{label}: {refusal.Message}");
        }

        if (!refusal.IsTransient || TimeSpan.FromTicks((now - _unableSinceNs) / TimeSpan.NanosecondsPerTick) > limit)
            throw new TargetLostException($"{label}: {refusal.Message}", refusal);
        TimedWait.Until(now + (Pause.Ticks * TimeSpan.NanosecondsPerTick));
    }

    public void Answered()
    {
        if (_unableSinceNs != 0)
            events.Note("able", $"{label}: answers again");
        _unableSinceNs = 0;
    }
}
