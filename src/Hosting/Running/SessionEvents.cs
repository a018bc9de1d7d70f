using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Running;

/// <summary>What happened while a run measured, on whatever thread; only the last ones are kept.</summary>
/// <param name="most">How many are kept.</param>
public sealed class SessionEvents(int most = int.MaxValue)
{
    private readonly Lock _gate = new();
    private readonly Queue<SessionEvent> _events = new();
    private long _noted;

    public IReadOnlyList<SessionEvent> All
    {
        get
        {
            lock (_gate)
                return [.. _events];
        }
    }

    /// <summary>How many were noted and are not kept any more.</summary>
    public long Forgotten
    {
        get
        {
            lock (_gate)
                return _noted - _events.Count;
        }
    }

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

    /// <param name="taken">How many were noted when it was last asked.</param>
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
