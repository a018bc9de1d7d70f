using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

/// <summary>Looks at each server of an end, as long as it is not disposed.</summary>
internal sealed class EndWatchers : IDisposable
{
    private readonly List<EndWatcher> _watchers = [];

    /// <summary>Begins to look.</summary>
    /// <param name="places">Where keys are; several may be at one server.</param>
    /// <param name="interval">From one look to the next; zero never looks.</param>
    /// <param name="events">Where to tell what happens.</param>
    public EndWatchers(IEnumerable<IServerPlace> places, TimeSpan interval, SessionEvents events)
    {
        if (interval > TimeSpan.Zero)
        {
            _watchers.AddRange(places.DistinctBy(place => place.Target?.Name)
                .Select(place => new EndWatcher(place, interval, events)));
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _watchers.ForEach(watcher => watcher.Dispose());
}
