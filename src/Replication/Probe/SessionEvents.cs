using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Probe;

/// <summary>What happened during a session, from any thread.</summary>
/// <param name="most">How many are kept: the newest, where a session goes on for good.</param>
internal sealed class SessionEvents(int most = int.MaxValue)
{
    private readonly Lock _gate = new();
    private readonly Queue<SessionEvent> _events = new();
    private long _noted;

    /// <summary>What happened so far, as far as it is kept, in the order in which it was told.</summary>
    public IReadOnlyList<SessionEvent> All
    {
        get
        {
            lock (_gate)
                return [.. _events];
        }
    }

    /// <summary>How many are not kept any more.</summary>
    public long Forgotten
    {
        get
        {
            lock (_gate)
                return _noted - _events.Count;
        }
    }

    /// <summary>Tells that something happened now.</summary>
    public void Note(string kind, string text)
    {
        lock (_gate)
        {
            _events.Enqueue(new(MonotonicClock.NowNs(), kind, text));
            if (_events.Count > most)
                _events.Dequeue();
            Volatile.Write(ref _noted, _noted + 1);
        }
    }

    /// <summary>Those since the last time; allocates nothing where there are none.</summary>
    /// <param name="taken">How many had been taken by then; at first zero.</param>
    public IReadOnlyList<SessionEvent> TakeSince(ref long taken)
    {
        if (Volatile.Read(ref _noted) == taken)
            return [];
        lock (_gate)
        {
            var first = _noted - _events.Count;
            var skipped = (int)Math.Max(0, taken - first);
            taken = _noted;
            return [.. _events.Skip(skipped)];
        }
    }

    /// <summary>What is kept, as a record has it, in the order in which it happened.</summary>
    public IReadOnlyList<RunEvent> ToRecord()
    {
        var wallClock = WallClockMapping.Sample();
        return
        [
            .. All.Select(happened => new RunEvent(
                wallClock.ToUtc(happened.AtNs), happened.AtNs, happened.Kind, happened.Text))
                .OrderBy(happened => happened.AtNs),
        ];
    }
}

/// <summary>Something that happened during a session.</summary>
/// <param name="AtNs">When, in nanoseconds of the monotonic clock.</param>
/// <param name="Kind">What, in one word.</param>
/// <param name="Text">What, in a sentence.</param>
internal sealed record SessionEvent(long AtNs, string Kind, string Text);
