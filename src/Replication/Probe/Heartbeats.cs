using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

/// <summary>The heartbeats of a shard: which are to come, what became of those before, and their delays.</summary>
internal abstract class Heartbeats : IShardProbes
{
    private long _foreign;
    private long _seenSentNs;
    private long _seenFoundNs;
    private long _longestAgeNs;

    public abstract string? Shard { get; }
    public abstract string Source { get; }
    public abstract bool AreWrittenElsewhere { get; }
    public abstract HeartbeatKey Key { get; }
    public abstract DelayCounts Counts { get; }
    public DelayTally Tally { get; } = new();

    public long? MissingAtSource => 0;

    public long? MissingUnconfirmed => 0;

    protected Lock Gate { get; } = new();
    protected long Sent { get; set; }
    protected long Unsent { get; set; }
    protected long Read { get; set; }
    protected long Skipped { get; set; }

    protected long Foreign => Volatile.Read(ref _foreign);

    // Before the first one is seen nothing is older than this; zero where there is no age yet, or never.
    protected abstract long BegunNs { get; }

    public abstract bool AreAwaited(out long overdueNs);

    public abstract void WaitUntilAwaited(TimeSpan limit);

    public abstract bool IsNew(HeartbeatKey key, long number);

    public abstract void See(HeartbeatKey key, in FoundHeartbeat beat);

    // No more are waited for than are on their way now.
    public virtual void Close()
    {
    }

    public void FindForeign() => Interlocked.Increment(ref _foreign);

    // Until then, since it was asked for the last time.
    public long TakeLongestAge(long untilNs)
    {
        lock (Gate)
        {
            var longest = Math.Max(_longestAgeNs, AgeAt(untilNs));
            _longestAgeNs = 0;
            return longest;
        }
    }

    public ProbeReader NewReader(
        ReconnectingPipeline pipeline, DelayOptions options, SessionEvents events, ReplicaGuard? guard) =>
        new HeartbeatReader(this, options, pipeline, events, guard);

    protected void NoteAge(long sentNs, long foundNs)
    {
        _longestAgeNs = Math.Max(_longestAgeNs, AgeAt(foundNs));
        (_seenSentNs, _seenFoundNs) = (sentNs, foundNs);
    }

    protected long AgeAt(long nowNs) => Since(_seenSentNs, nowNs);

    protected long SilenceAt(long nowNs) => Since(_seenFoundNs, nowNs);

    private long Since(long stampNs, long nowNs) => (stampNs != 0 ? stampNs : BegunNs) is var from and not 0
        ? Math.Max(0, nowNs - from)
        : 0;
}
