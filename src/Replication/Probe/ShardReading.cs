using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

internal sealed class ShardReading : IDisposable
{
    private readonly WritingSession _writing;
    private readonly KeyLooks? _looks;

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
            kind, KeyNames.Begin(way.Prefix, _writing.Id), Destination.Target.Endpoint.Database, plan.Options.Prefix);
        if (kind == ReadingKind.Publish)
            _writing.PublishOn(subscription.Channel);
        else
            _looks = new KeyLooks(way.Destination, way.Prefix, _writing.Id, role: null);
        Reader = new PushReader(
            register, subscription, _writing.DueOf, plan.Options.Deadline, Destination, _looks,
            new LinkStandstill(Destination.Label, intervalNs, session.Events));
    }

    public KeyWay Way { get; }
    public DelayTally Tally { get; } = new();
    public IKeyReader Reader { get; }
    public LastingPipeline Destination { get; }

    public IEnumerable<KeyWriter> Writers => WriterNumbers.Select(number => _writing.KeyWriters[number]);

    private IEnumerable<int> WriterNumbers =>
        Enumerable.Range(0, _writing.Writers).Where(number => number % _writing.Places == Way.Stream);

    public void Dispose()
    {
        _looks?.Dispose();
        Destination.Dispose();
    }
}
