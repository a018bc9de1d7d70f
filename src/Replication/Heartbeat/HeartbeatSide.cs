using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>Which sides of the heartbeats this process is, the one that writes, the one that reads, or both.</summary>
internal abstract class HeartbeatSide : IDisposable
{
    /// <summary>Whether it writes them.</summary>
    public abstract bool Writes { get; }

    /// <summary>Whether it reads them.</summary>
    public abstract bool Reads { get; }

    /// <summary>Where they are written, for people; of another process once it is found.</summary>
    public abstract string Source { get; }

    /// <summary>Where they are read, for people.</summary>
    public abstract string Destination { get; }

    /// <summary>The region of the source; null for its endpoint.</summary>
    public virtual string? SourceRegion => null;

    /// <summary>The region of the destination; null for its endpoint.</summary>
    public virtual string? DestinationRegion => null;

    /// <summary>The servers whose passwords must not be written.</summary>
    public abstract IReadOnlyList<ResolvedTarget> Targets { get; }

    /// <summary>What the heartbeats are, in a title.</summary>
    public virtual string Title => $"{Source} to {Destination}";

    /// <summary>How heartbeats are read.</summary>
    public virtual string Reading => "polling";

    /// <summary>Whose clocks the two stamps of a delay are of.</summary>
    public virtual string Clocks => "one clock: nothing to correct";

    /// <summary>What is wrong, in a sentence, when no heartbeat comes; null where nothing is known to be.</summary>
    public virtual string? Illness => null;

    /// <summary>The lag in bytes; null where it is not known.</summary>
    public virtual LagBytes? Lag => null;

    /// <summary>What clock probes took from host to host; null where none did.</summary>
    public virtual DirectWay? Direct => null;

    /// <summary>Why what was measured may not be relied on.</summary>
    public virtual IEnumerable<string> Faults => [];

    /// <summary>What to keep in mind.</summary>
    public virtual IEnumerable<string> Notes => [];

    /// <summary>Settles where its servers are; nothing is connected yet.</summary>
    public abstract void Resolve(StandardOutput output);

    /// <summary>Looks at its servers.</summary>
    /// <exception cref="Hosting.Running.RunRefusedException">They are not what is needed.</exception>
    /// <exception cref="Redis.RedisException">One of them cannot be reached.</exception>
    public abstract void Connect(SessionEvents events, IStopToken stop);

    /// <summary>Makes sure of the other side, and opens every connection.</summary>
    /// <param name="found">Is told the shard and the delay of each that is found, in nanoseconds.</param>
    /// <param name="stop">Ends it.</param>
    /// <returns>Null where a request to stop came first.</returns>
    /// <exception cref="Hosting.Running.RunRefusedException">The other side is not there.</exception>
    /// <exception cref="Redis.RedisException">A connection cannot be had.</exception>
    public abstract HeartbeatSession? Open(Action<string?, long> found, IStopToken stop);

    /// <summary>Begins to look at what is beside the heartbeats.</summary>
    public abstract void Watch(HeartbeatSession session);

    /// <summary>Ends that; the heartbeats have ended.</summary>
    public abstract void EndWatch();

    /// <summary>Where the heartbeats of a way are written and read now, for people.</summary>
    public abstract (string Source, string Destination) PlacesOf(int way);

    /// <summary>The lag in bytes on one way; null where it is not known.</summary>
    public virtual LagBytes? LagOf(int way) => null;

    /// <summary>The servers as they were when it began; events tell what changed.</summary>
    public abstract IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Lets go of what it has.</summary>
    protected abstract void Dispose(bool isDisposing);
}
