using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>The keys of a shard, read at one place.</summary>
internal sealed class KeyReading : IDisposable
{
    private readonly ReplicaGuard? _guard;

    public KeyReading(
        IShardKeys keys, IServerLocator place, DelayOptions options, SessionEvents events, IStopToken stop)
    {
        (Keys, Place) = (keys, place);
        Destination = new ReconnectingPipeline(place, options.ReconnectTimeout, events, stop);
        // A promotion may be seen later here than where another process writes.
        _guard = place.IsReplica && keys.AreWrittenElsewhere
            ? new ReplicaGuard(Destination, options.ReconnectTimeout)
            : null;
        Reader = new PollingReader(
            keys, keys.Session, keys.Prefix, options, Destination, events, keys.IntervalNs, _guard);
    }

    public IShardKeys Keys { get; }
    public IServerLocator Place { get; }
    public ReconnectingPipeline Destination { get; }
    public PollingReader Reader { get; }

    public MetricSet Metrics => field ??= DelayMetrics.Of(Keys.Tally, () => Keys.Counts);

    public void Dispose()
    {
        Destination.Dispose();
        _guard?.Dispose();
    }
}
