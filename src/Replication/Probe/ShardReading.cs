using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>The probes of a shard, read at one server.</summary>
internal sealed class ShardReading : IDisposable
{
    private readonly ReplicaGuard? _guard;

    public ShardReading(
        IShardProbes probes, IServerLocator server, DelayOptions options, SessionEvents events, IStopToken reconnecting)
    {
        (Probes, Server) = (probes, server);
        Destination = new ReconnectingPipeline(server, options.ReconnectTimeout, events, reconnecting);
        // A promotion may be seen later here than where another process writes.
        _guard = server.IsReplica && probes.AreWrittenElsewhere
            ? new ReplicaGuard(Destination, options.ReconnectTimeout)
            : null;
        Reader = probes.NewReader(Destination, options, events, _guard);
    }

    public IShardProbes Probes { get; }
    public IServerLocator Server { get; }
    public ReconnectingPipeline Destination { get; }
    public ProbeReader Reader { get; }

    public MetricSet Metrics => field ??= DelayMetrics.Of(Probes.Tally, () => Probes.Counts);

    public void Dispose()
    {
        Destination.Dispose();
        _guard?.Dispose();
    }
}
