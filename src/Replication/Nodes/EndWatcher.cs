using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

/// <summary>Watches an end, by counters where there are: what was over between two looks is seen too.</summary>
internal sealed class EndWatcher : IDisposable
{
    private readonly IServerPlace _place;
    private readonly SessionEvents _events;
    private readonly WatchConnection _connection;
    private readonly ReporterThread _thread;
    private EndState? _last;
    private (EndState State, long AtNs)? _first;
    private ResolvedTarget? _lookedAt;

    public EndWatcher(IServerPlace place, TimeSpan interval, SessionEvents events)
    {
        (_place, _events, _connection) = (place, events, new WatchConnection(place));
        // What happens from now on counts.
        Look();
        _thread = new ReporterThread(interval, _ => Look());
    }

    public string? Refusal { get; private set; }

    public IServerPlace Place => _place;

    // Which share of the server's time GET and MGET took while it was looked at; null where it does not tell, or has
    // not been the same server.
    public double? ReadingShare { get; private set; }

    public void Dispose()
    {
        _thread.Dispose();
        Look();
        _connection.Dispose();
    }

    private void NoteReading(EndState state)
    {
        var now = MonotonicClock.NowNs();
        if (_first is not { } first || first.State.RunId != state.RunId)
            _first = (state, now);
        else
            ReadingShare = (state.ReadingMicroseconds - (first.State.ReadingMicroseconds ?? 0)) * 1e3
                / (now - first.AtNs);
    }

    private void Look()
    {
        if (Refusal is not null)
            return;
        var (state, refusal) = _connection.TryUse(EndState.Read);
        if (refusal is not null)
        {
            Refusal = refusal;
            _events.Note("unknown", $"{_place.Label}: does not tell its state: {refusal}");
        }

        if (state is null)
            return;
        if (_last is { } before && ReferenceEquals(_lookedAt, _connection.Target))
        {
            foreach (var (kind, text) in EndChanges.Between(_place.Label, before, state))
                _events.Note(kind, text);
            if (before.Role != state.Role || before.Primary != state.Primary)
                _place.Doubt();
        }

        NoteReading(state);
        (_last, _lookedAt) = (state, _connection.Target);
    }
}

internal sealed class EndWatchers : IDisposable
{
    private readonly List<EndWatcher> _watchers = [];

    public EndWatchers(IEnumerable<IServerPlace> places, TimeSpan interval, SessionEvents events)
    {
        if (interval > TimeSpan.Zero)
        {
            _watchers.AddRange(places.DistinctBy(place => place.Target?.Name)
                .Select(place => new EndWatcher(place, interval, events)));
        }
    }

    public void Dispose() => _watchers.ForEach(watcher => watcher.Dispose());
}
