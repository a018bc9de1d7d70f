using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Writing;

namespace RedisLatency.Replication.Delay;

/// <summary>Writes keys at one end and reads them at the other, each side on threads of its own.</summary>
internal sealed class KeySession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);

    private readonly DelayPlan _plan;
    private readonly List<LastingPipeline> _pipelines = [];
    private readonly IStopToken _stop;
    private volatile bool _isAbandoned;
    private long _startNs;

    /// <summary>Opens every connection.</summary>
    /// <param name="plan">What is wanted.</param>
    /// <param name="keys">How many keys this session writes.</param>
    /// <param name="source">Where to.</param>
    /// <param name="destination">Where from.</param>
    /// <param name="stop">Ends the writing; what was written is still read.</param>
    public KeySession(DelayPlan plan, long keys, ResolvedTarget source, ResolvedTarget destination, IStopToken stop)
    {
        (_plan, _stop) = (plan, stop);
        Ledger = new KeyLedger(keys);
        Trace = plan.Options.EachKey ? new KeyTrace(keys) : null;
        KeyWriters = [.. Enumerable.Range(0, Writers).Select(
            index => new KeyWriter(this, Open(source, "source"), index))];
        Reader = new PollingReader(this, Open(destination, "destination"));
    }

    /// <summary>What its keys are known by.</summary>
    public ulong Id { get; } = DelayPlan.NewSession();

    /// <summary>The options.</summary>
    public DelayOptions Options => _plan.Options;

    /// <summary>What became of each key so far, as the writers know it.</summary>
    public KeyLedger Ledger { get; }

    /// <summary>Every key with its stamps; null where nobody wants that.</summary>
    public KeyTrace? Trace { get; }

    /// <summary>What happened on the way.</summary>
    public SessionEvents Events { get; } = new();

    /// <summary>How many connections write.</summary>
    public int Writers => Options.Writers;

    /// <summary>Whether no more keys shall be written: the run was stopped, or an end went away for good.</summary>
    public bool IsEnding => _isAbandoned || _stop.IsRequested;

    /// <summary>Those who write.</summary>
    public IReadOnlyList<KeyWriter> KeyWriters { get; }

    /// <summary>The one who reads.</summary>
    public PollingReader Reader { get; }

    /// <summary>The first connection to the source.</summary>
    public RedisPipeline SourcePipeline => _pipelines[0].Current;

    /// <summary>The connection to the destination.</summary>
    public RedisPipeline DestinationPipeline => _pipelines[^1].Current;

    /// <summary>When the first key was due, in nanoseconds.</summary>
    public long StartNs => _startNs;

    /// <summary>How long it was written, in nanoseconds.</summary>
    public long WritingNs { get; private set; }

    /// <summary>When a key is due: a product, not a running sum, so that no rounding adds up.</summary>
    public long DueOf(long sequence) => _startNs + (long)(sequence * _plan.IntervalNs);

    /// <summary>Writes and reads until every key is accounted for.</summary>
    /// <exception cref="Hosting.Running.TargetLostException">An end went away for good.</exception>
    public void Run()
    {
        _startNs = MonotonicClock.NowNs() + (LeadTime.Ticks * TimeSpan.NanosecondsPerTick);
        var reader = new SessionThread("delay-reader", Reader.Run, Abandon);
        var writers = KeyWriters.Select((writer, index) =>
            new SessionThread(FormattableString.Invariant($"delay-writer-{index}"), writer.Run, Abandon)).ToList();
        writers.ForEach(writer => writer.Join());
        Ledger.End();
        WritingNs = Math.Max(1, MonotonicClock.NowNs() - _startNs);
        reader.Join();
        foreach (var thread in writers.Prepend(reader))
            thread.ThrowIfFailed();
    }

    /// <inheritdoc/>
    public void Dispose() => _pipelines.ForEach(pipeline => pipeline.Dispose());

    private void Abandon() => _isAbandoned = true;

    private LastingPipeline Open(ResolvedTarget target, string role)
    {
        var pipeline = new LastingPipeline(target, role, Options.ReconnectTimeout, Events, _stop);
        _pipelines.Add(pipeline);
        return pipeline;
    }
}
