using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Delay.Keys;

namespace RedisLatency.Replication.Delay.Ends.Watching;

/// <summary>
/// Looks at an end again and again, and tells what happened to it: by counters where there are, so that what was over
/// between two looks is seen too.
/// </summary>
internal sealed class EndWatcher : IDisposable
{
    private readonly string _end;
    private readonly SessionEvents _events;
    private readonly WatchConnection _connection;
    private readonly ReporterThread _thread;
    private EndState? _last;

    /// <summary>Begins to look.</summary>
    /// <param name="end">Which end: source or destination.</param>
    /// <param name="target">The server.</param>
    /// <param name="interval">From one look to the next.</param>
    /// <param name="events">Where to tell.</param>
    public EndWatcher(string end, ResolvedTarget target, TimeSpan interval, SessionEvents events)
    {
        (_end, _events, _connection) = (end, events, new WatchConnection(target));
        // What happens from now on counts.
        Look();
        _thread = new ReporterThread(interval, _ => Look());
    }

    /// <summary>Why it does not tell its state; null where it does.</summary>
    public string? Refusal { get; private set; }

    /// <summary>Looks a last time, and ends.</summary>
    public void Dispose()
    {
        _thread.Dispose();
        Look();
        _connection.Dispose();
    }

    private void Look()
    {
        if (Refusal is not null)
            return;
        var (state, refusal) = _connection.TryUse(EndState.Read);
        if (refusal is not null)
        {
            Refusal = refusal;
            _events.Note("unknown", $"{_end}: does not tell its state: {refusal}");
        }

        if (state is null)
            return;
        if (_last is { } before)
        {
            foreach (var (kind, text) in EndChanges.Between(_end, before, state))
                _events.Note(kind, text);
        }

        _last = state;
    }
}
