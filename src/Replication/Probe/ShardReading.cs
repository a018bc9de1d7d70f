using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

/// <summary>The reading side of one way: of a stream of keys to a destination.</summary>
internal sealed class ShardReading : IDisposable
{
    private readonly WritingSession _writing;
    private readonly KeyLooks? _looks;

    /// <summary>Opens the connection.</summary>
    /// <param name="plan">What is wanted.</param>
    /// <param name="kind">How keys are read, as it was decided.</param>
    /// <param name="way">From where to where.</param>
    /// <param name="trace">Where every key is noted; null for nowhere.</param>
    /// <param name="session">Whose keys.</param>
    /// <param name="stop">Ends the run.</param>
    public ShardReading(
        DelayPlan plan, ReadingKind kind, KeyWay way, KeyTrace? trace, KeySession session, IStopToken stop)
    {
        (_writing, Way) = (session.Writing, way);
        Destination = new LastingPipeline(way.Destination, plan.Options.ReconnectTimeout, session.Events, stop);
        var register = new LedgerKeys(_writing.Ledger, _writing.Writers, WriterNumbers, Tally, trace);
        var intervalNs = plan.IntervalNs * _writing.Places;
        if (kind == ReadingKind.Polling)
        {
            Reader = new PollingReader(register, _writing.Id, way.Prefix, plan.Options, Destination, session.Events, intervalNs);
            return;
        }

        var subscription = new PushSubscription(
            kind, ProbeKey.Begin(way.Prefix, _writing.Id), Destination.Target.Endpoint.Database, plan.Options.Prefix);
        if (kind == ReadingKind.Publish)
            _writing.PublishOn(subscription.Channel);
        else
            _looks = new KeyLooks(way.Destination, way.Prefix, _writing.Id, role: null);
        Reader = new PushReader(
            register, subscription, _writing.DueOf, plan.Options.Deadline, Destination, _looks,
            new LinkStandstill(Destination.Label, intervalNs, session.Events));
    }

    /// <summary>From where to where.</summary>
    public KeyWay Way { get; }

    /// <summary>The delays.</summary>
    public DelayTally Tally { get; } = new();

    /// <summary>The one who reads.</summary>
    public IKeyReader Reader { get; }

    /// <summary>The connection to the destination.</summary>
    public LastingPipeline Destination { get; }

    /// <summary>Those who write these keys.</summary>
    public IEnumerable<KeyWriter> Writers => WriterNumbers.Select(number => _writing.KeyWriters[number]);

    private IEnumerable<int> WriterNumbers =>
        Enumerable.Range(0, _writing.Writers).Where(number => number % _writing.Places == Way.Stream);

    /// <inheritdoc/>
    public void Dispose()
    {
        _looks?.Dispose();
        Destination.Dispose();
    }
}
