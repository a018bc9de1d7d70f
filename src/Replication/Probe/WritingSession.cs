using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>The keys of one session, written on a schedule by threads with connections of their own.</summary>
internal sealed class WritingSession : IDisposable
{
    private readonly DelayPlan _plan;
    private readonly List<LastingPipeline> _pipelines = [];
    private readonly List<SessionThread> _threads = [];
    private readonly IStopToken _stop;
    private volatile bool _isAbandoned;
    private long _startNs;

    /// <summary>Opens every connection.</summary>
    /// <param name="plan">What is wanted.</param>
    /// <param name="keys">How many keys this session writes.</param>
    /// <param name="places">Where to, in turn, and what the keys there begin with.</param>
    /// <param name="events">Where to tell what happens.</param>
    /// <param name="stop">Ends the writing.</param>
    public WritingSession(
        DelayPlan plan, long keys, IReadOnlyList<(string Prefix, IServerPlace Place)> places, SessionEvents events,
        IStopToken stop)
    {
        (_plan, _stop, Events) = (plan, stop, events);
        Ledger = new KeyLedger(keys);
        Places = places.Count;
        KeyWriters = [.. Enumerable.Range(0, Writers).Select(index => WriterAt(places[index % places.Count], index))];
    }

    /// <summary>What its keys are known by.</summary>
    public ulong Id { get; } = DelayPlan.NewSession();

    /// <summary>The options.</summary>
    public DelayOptions Options => _plan.Options;

    /// <summary>What became of each key so far, as the writers know it.</summary>
    public KeyLedger Ledger { get; }

    /// <summary>What happened on the way.</summary>
    public SessionEvents Events { get; }

    /// <summary>How many places are written to: the n-th writer writes to the n-th of them, over and over.</summary>
    public int Places { get; }

    /// <summary>How many connections write.</summary>
    public int Writers => Options.Writers * Places;

    /// <summary>Whether no more keys shall be written: the run was stopped, or an end went away for good.</summary>
    public bool IsEnding => _isAbandoned || _stop.IsRequested;

    /// <summary>Those who write.</summary>
    public IReadOnlyList<KeyWriter> KeyWriters { get; }

    /// <summary>The first connection to a place.</summary>
    public RedisPipeline PipelineTo(int place) => _pipelines[place].Current;

    /// <summary>When the first key was due, in nanoseconds.</summary>
    public long StartNs => _startNs;

    /// <summary>How long it was written, in nanoseconds.</summary>
    public long WritingNs { get; private set; }

    /// <summary>Keys that were due.</summary>
    public long Asked => KeyWriters.Sum(writer => writer.Asked);

    /// <summary>Keys that were sent.</summary>
    public long Sent => KeyWriters.Sum(writer => writer.Sent);

    /// <summary>Keys that were due while there was no connection.</summary>
    public long Unsent => KeyWriters.Sum(writer => writer.Unsent);

    /// <summary>Keys that the source refused.</summary>
    public long Refused => KeyWriters.Sum(writer => writer.Refused);

    /// <summary>Keys whose replies were lost with their connection.</summary>
    public long Unanswered => KeyWriters.Sum(writer => writer.Unanswered);

    /// <summary>When a key is due: a product, not a running sum, so that no rounding adds up.</summary>
    public long DueOf(long sequence) => _startNs + (long)(sequence * _plan.IntervalNs);

    /// <summary>Begins to write.</summary>
    /// <param name="startNs">When the first key is due.</param>
    public void Start(long startNs)
    {
        _startNs = startNs;
        _threads.AddRange(KeyWriters.Select((writer, index) => new SessionThread(
            FormattableString.Invariant($"delay-writer-{index}"), writer.Run, Abandon)));
    }

    /// <summary>Publishes on a channel what would be the values of keys, and writes none.</summary>
    public void PublishOn(string channel)
    {
        foreach (var writer in KeyWriters)
            writer.PublishOn(channel);
    }

    /// <summary>Writes no more keys.</summary>
    public void Abandon() => _isAbandoned = true;

    /// <summary>Waits until all keys are written and answered for.</summary>
    public void Join()
    {
        _threads.ForEach(writer => writer.Join());
        // Who gave up does not make the schedule shorter; who was told to stop does.
        if (!_stop.IsRequested)
        {
            foreach (var writer in KeyWriters)
                writer.OmitUntil(long.MaxValue);
        }

        Ledger.End();
        WritingNs = Math.Max(1, MonotonicClock.NowNs() - _startNs);
    }

    /// <summary>Throws what ended a writer.</summary>
    /// <exception cref="Hosting.Running.TargetLostException">The source went away for good.</exception>
    public void ThrowIfFailed() => _threads.ForEach(writer => writer.ThrowIfFailed());

    /// <inheritdoc/>
    public void Dispose() => _pipelines.ForEach(pipeline => pipeline.Dispose());

    private KeyWriter WriterAt((string Prefix, IServerPlace Server) place, int index)
    {
        var pipeline = new LastingPipeline(place.Server, Options.ReconnectTimeout, Events, _stop);
        _pipelines.Add(pipeline);
        return new KeyWriter(this, pipeline, place.Prefix, index);
    }
}
