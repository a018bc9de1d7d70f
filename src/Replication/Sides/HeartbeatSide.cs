using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

/// <summary>Which sides of the heartbeats this process is, the one that writes, the one that reads, or both.</summary>
internal abstract class HeartbeatSide : IDisposable
{
    public abstract bool Writes { get; }
    public abstract bool Reads { get; }
    public abstract string Source { get; }
    public abstract string Destination { get; }

    public virtual string? SourceRegion => null;

    public virtual string? DestinationRegion => null;

    public abstract IReadOnlyList<ResolvedTarget> Targets { get; }

    public virtual string Title => $"{Source} to {Destination}";

    public virtual string Reading => "polling";

    public virtual string Clocks => "one clock: nothing to correct";

    public virtual string? Illness => null;

    public virtual LagBytes? Lag => null;

    public virtual DirectWay? Direct => null;

    public virtual IEnumerable<string> Faults => [];

    public virtual IEnumerable<string> Notes => [];

    public abstract void Connect(IStopToken stop);

    public abstract HeartbeatSession? Open(Action<string?, long> found, IStopToken stop);

    public abstract void Watch(HeartbeatSession session);

    public abstract void EndWatch();

    public abstract (string Source, string Destination) PlacesOf(int way);

    public virtual LagBytes? LagOf(int way) => null;

    public abstract IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session);

    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    protected abstract void Dispose(bool isDisposing);
}
