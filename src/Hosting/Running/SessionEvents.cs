using Microsoft.Extensions.Logging;
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

/// <param name="AtNs">When, by the monotonic clock.</param>
/// <param name="Kind">What kind of event, in a word.</param>
/// <param name="Text">A sentence.</param>
public sealed record SessionEvent(long AtNs, string Kind, string Text);

/// <summary>Which events were reported word for word within a minute, as lasting evictions are. One thread.</summary>
internal sealed class EventRepetition
{
    private const long SilenceNs = 60_000_000_000;

    private readonly Dictionary<string, long> _reportedAtNs = [];

    public bool Is(in SessionEvent happened)
    {
        foreach (var (text, atNs) in _reportedAtNs)
        {
            if (happened.AtNs - atNs > SilenceNs)
                _reportedAtNs.Remove(text);
        }

        return !_reportedAtNs.TryAdd(happened.Text, happened.AtNs);
    }
}

/// <summary>Reports each event once; a literal repetition within a minute is only counted.</summary>
public class EventReporter(SessionEvents events, ILogger logger)
{
    private readonly EventRepetition _repetition = new();
    private long _reported;

    protected ILogger Logger => logger;

    public void Report()
    {
        var unreported = events.TakeSince(ref _reported);
        for (var i = 0; i < unreported.Count; i++)
        {
            Count(unreported[i].Kind);
            if (!_repetition.Is(unreported[i]))
                Report(unreported[i]);
        }
    }

    protected virtual void Count(string kind)
    {
    }

    protected virtual void Report(SessionEvent happened) => RunLog.EventHappened(logger, happened.Text);
}
