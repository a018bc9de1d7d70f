using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Links;

internal sealed class LinkWatch : IDisposable
{
    private readonly NodeWatchers _nodes;
    private readonly Dictionary<IServerLocator, OffsetLag> _lags = [];
    private readonly WaitProbes _waits;
    private bool _isDisposed;

    public LinkWatch(IReadOnlyList<KeyRoute> routes, DelayOptions options, ulong session, SessionEvents events)
    {
        _nodes = new NodeWatchers(
            routes.Select(route => route.Source).Concat(routes.Select(route => route.Destination)),
            options.WatchInterval, events);
        foreach (var route in routes.Where(_ => options.WatchInterval > TimeSpan.Zero))
            _lags.Add(route.Destination, new OffsetLag(route.Source, route.Destination, options.WatchInterval));
        _waits = new WaitProbes(KeyRoute.StreamsOf(routes), session, options.Expiry, options.WaitInterval);
    }

    public IReadOnlyList<MetricSeries> Waits => _waits.Series;

    public IEnumerable<string> Notes => _waits.Notes;

    public double? ReadingShareAt(IEnumerable<IServerLocator> destinations) => _nodes.ReadingShareAt(destinations);

    public void CountMissing() => _waits.CountMissing();

    public LagBytes? LagAt(IEnumerable<IServerLocator> destinations)
    {
        var known = destinations.Select(server => _lags.GetValueOrDefault(server)?.Result).OfType<LagBytes>().ToList();
        var samples = known.Sum(lag => lag.Samples);
        return samples == 0
            ? null
            : new LagBytes(samples, known.Sum(lag => lag.Mean * lag.Samples) / samples, known.Max(lag => lag.Most));
    }

    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        _waits.Dispose();
        foreach (var lag in _lags.Values)
            lag.Dispose();
        _nodes.Dispose();
    }
}
