using System.Collections.Concurrent;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Delay.Keys;

/// <summary>What happened during a session, from any thread.</summary>
internal sealed class SessionEvents
{
    private readonly ConcurrentQueue<SessionEvent> _events = new();

    /// <summary>What happened so far, in the order in which it was told.</summary>
    public IReadOnlyCollection<SessionEvent> All => _events;

    /// <summary>Tells that something happened now.</summary>
    public void Note(string kind, string text) => _events.Enqueue(new(MonotonicClock.NowNs(), kind, text));
}
