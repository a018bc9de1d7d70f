using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Writing;

namespace RedisLatency.Replication.Delay;

/// <summary>Writes keys at one end and reads them at the other, each side on threads of its own.</summary>
internal sealed class KeySession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);

    private readonly List<ShardReading> _readings = [];

    /// <summary>Opens every connection.</summary>
    /// <param name="plan">What is wanted.</param>
    /// <param name="reading">How keys are read, as it was decided.</param>
    /// <param name="keys">How many keys this session writes, in turn on each way.</param>
    /// <param name="ways">From where to where; several where there are shards.</param>
    /// <param name="events">Where to tell what happens.</param>
    /// <param name="stop">Ends the writing; what was written is still read.</param>
    public KeySession(
        DelayPlan plan, ReadingKind reading, long keys, IReadOnlyList<KeyWay> ways, SessionEvents events, IStopToken stop)
    {
        Events = events;
        Trace = plan.Options.EachKey ? new KeyTrace(keys) : null;
        Writing = new WritingSession(plan, keys, [.. ways.Select(way => (way.Prefix, way.Source))], events, stop);
        for (var i = 0; i < ways.Count; i++)
            _readings.Add(new ShardReading(plan, reading, ways[i], i, this, stop));
        Tally = ways.Count == 1 ? _readings[0].Tally : new DelayTally([.. _readings.Select(one => one.Tally)]);
    }

    /// <summary>The writing side.</summary>
    public WritingSession Writing { get; }

    /// <summary>The reading side: of each shard, or the only one.</summary>
    public IReadOnlyList<ShardReading> Readings => _readings;

    /// <summary>The delays of all keys.</summary>
    public DelayTally Tally { get; }

    /// <summary>Every key with its stamps; null where nobody wants that.</summary>
    public KeyTrace? Trace { get; }

    /// <summary>What happened on the way.</summary>
    public SessionEvents Events { get; }

    /// <summary>Writes and reads until every key is accounted for.</summary>
    /// <exception cref="Hosting.Running.TargetLostException">An end went away for good.</exception>
    public void Run()
    {
        var start = MonotonicClock.NowNs() + (LeadTime.Ticks * TimeSpan.NanosecondsPerTick);
        Writing.Start(start);
        var readers = _readings.ConvertAll(reading => new SessionThread(
            FormattableString.Invariant($"delay-reader-{reading.Place}"), reading.Reader.Run, Writing.Abandon));
        Writing.Join();
        readers.ForEach(reader => reader.Join());
        readers.ForEach(reader => reader.ThrowIfFailed());
        Writing.ThrowIfFailed();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Writing.Dispose();
        _readings.ForEach(reading => reading.Dispose());
    }
}
