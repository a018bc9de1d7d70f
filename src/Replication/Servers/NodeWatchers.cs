using RedisLatency.Hosting.Running;

namespace RedisLatency.Replication.Servers;

/// <summary>Watches every server once, however many shards it has.</summary>
internal sealed class NodeWatchers(IEnumerable<IServerLocator> locators, TimeSpan interval, SessionEvents events)
    : IDisposable
{
    private readonly List<NodeWatcher> _watchers =
    [
        .. locators.Where(_ => interval > TimeSpan.Zero).DistinctBy(locator => locator.Target?.Name)
            .Select(locator => new NodeWatcher(locator, interval, events)),
    ];

    // Which share of its time the busiest of these servers spent with GET and MGET; null where none reports it.
    public double? ReadingShareAt(IEnumerable<IServerLocator> some)
    {
        var names = some.Select(locator => locator.Target?.Name).ToHashSet();
        return _watchers.Where(watcher => names.Contains(watcher.Locator.Target?.Name)).Max(one => one.ReadingShare);
    }

    public void Dispose() => _watchers.ForEach(watcher => watcher.Dispose());
}
