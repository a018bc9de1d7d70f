using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Links;

/// <summary>
/// What is watched beside the probes, on connections of its own: the servers' state, how long WAIT takes for each
/// stream, and how many bytes destinations are behind.
/// </summary>
internal sealed class LinkWatch : IDisposable
{
    private readonly NodeWatchers _nodes;
    private readonly Dictionary<IServerLocator, OffsetLag> _lags = [];
    private readonly WaitProbes _waits;
    private bool _isDisposed;

    public LinkWatch(
        IEnumerable<IServerLocator> servers, IEnumerable<KeyStream> streams,
        IEnumerable<(IServerLocator Source, IServerLocator Destination)> pairs, DelayOptions options, ulong session,
        SessionEvents events)
    {
        _nodes = new NodeWatchers(servers, options.WatchInterval, events);
        foreach (var (source, destination) in pairs.Where(_ => options.WatchInterval > TimeSpan.Zero))
            _lags.Add(destination, new OffsetLag(source, destination, options.WatchInterval, events));
        _waits = new WaitProbes(streams, session, options.Expiry, options.WaitInterval, events);
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
