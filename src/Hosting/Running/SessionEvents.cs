using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Running;

/// <summary>
/// What happened while a run measured, on whatever thread. Of each kind the first and the last are kept, and counted
/// are all: a server that fails for good makes no record longer.
/// </summary>
public sealed class SessionEvents
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, EventsOfAKind<(long Number, SessionEvent Happened)>> _kinds = [];
    private long _noted;

    public IReadOnlyList<SessionEvent> All
    {
        get
        {
            lock (_gate)
                return [.. Kept(0)];
        }
    }

    /// <summary>How many were noted and are not kept any more.</summary>
    public long Forgotten
    {
        get
        {
            lock (_gate)
                return _kinds.Values.Sum(kind => kind.LeftOut);
        }
    }

    /// <summary>Of each kind the first and the last, and between them an event that says how many there were.</summary>
    public static IEnumerable<RunEvent> FirstAndLast(IEnumerable<RunEvent> happened) => happened
        .OrderBy(one => one.AtNs)
        .GroupBy(one => one.Kind)
        .SelectMany(kind => EventsOfAKind<RunEvent>.Of(kind).ToRecord(one => one))
        .OrderBy(one => one.AtNs);

    public void Note(string kind, string text)
    {
        lock (_gate)
        {
            if (!_kinds.TryGetValue(kind, out var known))
                _kinds.Add(kind, known = new());
            known.Add((_noted, new(MonotonicClock.NowNs(), kind, text)));
            Volatile.Write(ref _noted, _noted + 1);
        }
    }

    /// <summary>How many of a kind were noted, kept or not.</summary>
    public long CountOf(string kind)
    {
        lock (_gate)
            return _kinds.TryGetValue(kind, out var known) ? known.Count : 0;
    }

    /// <param name="taken">How many were noted when it was last asked.</param>
    public IReadOnlyList<SessionEvent> TakeSince(ref long taken)
    {
        if (Volatile.Read(ref _noted) == taken)
            return [];
        lock (_gate)
        {
            var from = taken;
            taken = _noted;
            return [.. Kept(from)];
        }
    }

    public IReadOnlyList<RunEvent> ToRecord()
    {
        var wallClock = WallClockMapping.Sample();
        lock (_gate)
        {
            return
            [
                .. _kinds.Values.SelectMany(kind => kind.ToRecord(one => new RunEvent(
                        wallClock.ToUtc(one.Happened.AtNs), one.Happened.AtNs, one.Happened.Kind, one.Happened.Text)))
                    .OrderBy(happened => happened.AtNs),
            ];
        }
    }

    private IEnumerable<SessionEvent> Kept(long from) => _kinds.Values.SelectMany(kind => kind.Kept)
        .Where(one => one.Number >= from).OrderBy(one => one.Number).Select(one => one.Happened);
}

internal sealed class EventsOfAKind<T>
{
    private const int MostOfEither = 100;

    private readonly List<T> _first = [];
    private readonly Queue<T> _last = new();

    public long LeftOut { get; private set; }

    public long Count => _first.Count + LeftOut + _last.Count;

    public IEnumerable<T> Kept => _first.Concat(_last);

    public static EventsOfAKind<T> Of(IEnumerable<T> happened)
    {
        var kept = new EventsOfAKind<T>();
        foreach (var one in happened)
            kept.Add(one);
        return kept;
    }

    public void Add(T one)
    {
        if (_first.Count < MostOfEither)
        {
            _first.Add(one);
            return;
        }

        _last.Enqueue(one);
        if (_last.Count <= MostOfEither)
            return;
        _last.Dequeue();
        LeftOut++;
    }

    public IEnumerable<RunEvent> ToRecord(Func<T, RunEvent> recorded)
    {
        foreach (var one in _first)
            yield return recorded(one);
        if (LeftOut > 0)
        {
            yield return recorded(_last.Peek()) with
            {
                Text = $"{Quantity.Count(LeftOut)} more until here; of each kind the first and the last are kept",
            };
        }

        foreach (var one in _last)
            yield return recorded(one);
    }
}
