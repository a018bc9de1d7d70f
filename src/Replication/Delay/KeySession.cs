using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Reading.Pushes;
using RedisLatency.Replication.Delay.Writing;

namespace RedisLatency.Replication.Delay;

/// <summary>Writes keys at one end and reads them at the other, each side on threads of its own.</summary>
internal sealed class KeySession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);

    private readonly LastingPipeline _destination;

    /// <summary>Opens every connection.</summary>
    /// <param name="plan">What is wanted.</param>
    /// <param name="reading">How keys are read, as it was decided.</param>
    /// <param name="keys">How many keys this session writes.</param>
    /// <param name="source">Where to.</param>
    /// <param name="destination">Where from.</param>
    /// <param name="stop">Ends the writing; what was written is still read.</param>
    public KeySession(
        DelayPlan plan, ReadingKind reading, long keys, ResolvedTarget source, ResolvedTarget destination, IStopToken stop)
    {
        Trace = plan.Options.EachKey ? new KeyTrace(keys) : null;
        Writing = new WritingSession(plan, keys, source, Events, stop);
        _destination = new LastingPipeline(
            destination, "destination", plan.Options.ReconnectTimeout, Events, stop);
        var register = new LedgerKeys(Writing.Ledger, Writing.Writers, Tally, Trace);
        if (reading == ReadingKind.Polling)
        {
            Reader = new PollingReader(register, Writing.Id, plan.Options, _destination, Events);
            return;
        }

        var subscription = new PushSubscription(
            reading, ProbeKey.Begin(plan.Options.Prefix, Writing.Id), destination.Endpoint.Database);
        if (reading == ReadingKind.Publish)
            Writing.PublishOn(subscription.Channel);
        Reader = new PushReader(register, subscription, Writing.DueOf, plan.Options.Deadline, _destination);
    }

    /// <summary>The writing side.</summary>
    public WritingSession Writing { get; }

    /// <summary>The delays.</summary>
    public DelayTally Tally { get; } = new();

    /// <summary>Every key with its stamps; null where nobody wants that.</summary>
    public KeyTrace? Trace { get; }

    /// <summary>What happened on the way.</summary>
    public SessionEvents Events { get; } = new();

    /// <summary>The one who reads.</summary>
    public IKeyReader Reader { get; }

    /// <summary>The connection to the destination.</summary>
    public LastingPipeline Destination => _destination;

    /// <summary>Writes and reads until every key is accounted for.</summary>
    /// <exception cref="Hosting.Running.TargetLostException">An end went away for good.</exception>
    public void Run()
    {
        var start = MonotonicClock.NowNs() + (LeadTime.Ticks * TimeSpan.NanosecondsPerTick);
        Writing.Start(start);
        var reader = new SessionThread("delay-reader", Reader.Run, Writing.Abandon);
        Writing.Join();
        reader.Join();
        reader.ThrowIfFailed();
        Writing.ThrowIfFailed();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Writing.Dispose();
        _destination.Dispose();
    }
}
