using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Shards;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>Writes keys at one end and reads them at every other, each on threads of its own.</summary>
internal sealed class KeySession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);

    private readonly List<DestinationReading> _destinations = [];

    public KeySession(
        DelayPlan plan, IReadOnlyList<ReadDestination> destinations, long keys, IReadOnlyList<KeyWay> ways,
        SessionEvents events, IStopToken stop)
    {
        Events = events;
        var streams = ways.DistinctBy(way => way.Stream).OrderBy(way => way.Stream);
        Writing = new WritingSession(plan, keys, [.. streams.Select(way => (way.Prefix, way.Source))], events, stop);
        foreach (var destination in destinations)
        {
            _destinations.Add(new DestinationReading(
                plan, destination, ways.Where(way => way.DestinationNumber == destination.Number), this, stop));
        }

        Tally = _destinations.Count == 1
            ? _destinations[0].Tally
            : new DelayTally([.. _destinations.Select(one => one.Tally)]);
    }

    public WritingSession Writing { get; }

    public IReadOnlyList<DestinationReading> Destinations => _destinations;

    public IEnumerable<ShardReading> Readings => _destinations.SelectMany(destination => destination.Shards);

    public DelayTally Tally { get; }
    public SessionEvents Events { get; }

    // A key counts once for each destination.
    public KeyCounts Counts => KeyCounts.Of(Writing.KeyWriters, _destinations.Count, Tally);

    public void Run()
    {
        var start = MonotonicClock.NowNs() + LeadTime.InNanoseconds;
        Writing.Start(start);
        var readers = _destinations.SelectMany(Read).ToList();
        Writing.Join();
        readers.ForEach(reader => reader.Join());
        readers.ForEach(reader => reader.ThrowIfFailed());
        Writing.ThrowIfFailed();
    }

    public void Dispose()
    {
        Writing.Dispose();
        _destinations.ForEach(destination => destination.Dispose());
    }

    private IEnumerable<SessionThread> Read(DestinationReading destination) => destination.Shards.Select(
        reading => new SessionThread(
            FormattableString.Invariant($"delay-reader-{destination.Destination.Number}-{reading.Way.Stream}"),
            reading.Reader.Run,
            () => Lose(destination, reading)));

    // Nobody writes for readers that are gone; as long as there is one, its keys are measured.
    private void Lose(DestinationReading destination, ShardReading reading)
    {
        destination.Lose();
        if (_destinations.TrueForAll(one => one.IsLost))
            Writing.Abandon();
        else
            Events.Note("lost", $"{reading.Way.Destination.Label}: was lost for good; the others are still measured");
    }
}

/// <summary>Everything that is read at one destination: of each shard, or of the only way.</summary>
internal sealed class DestinationReading : IDisposable
{
    private readonly List<ShardReading> _shards = [];
    private readonly WritingSession _writing;
    private volatile bool _isLost;

    public DestinationReading(
        DelayPlan plan, ReadDestination destination, IEnumerable<KeyWay> ways, KeySession session, IStopToken stop)
    {
        (Destination, _writing) = (destination, session.Writing);
        Trace = plan.Options.EachKey ? new KeyTrace(session.Writing.Ledger.Keys) : null;
        _shards.AddRange(ways.Select(way => new ShardReading(plan, destination.Reading, way, Trace, session, stop)));
        Tally = _shards.Count == 1 ? _shards[0].Tally : new DelayTally([.. _shards.Select(one => one.Tally)]);
        Uncertainty = new(DelayMetrics.Uncertainty, [.. _shards.Select(one => one.Tally.Uncertainty)]);
    }

    public ReadDestination Destination { get; }

    public IReadOnlyList<ShardReading> Shards => _shards;

    public DelayTally Tally { get; }
    public MetricSeries Uncertainty { get; }

    public KeyCounts Counts => KeyCounts.Of(_writing.KeyWriters, destinations: 1, Tally);

    public MetricSet Metrics => field ??= DelayMetrics.Of(Tally, () => Counts, errorNs: null, Uncertainty);

    public KeyTrace? Trace { get; }

    public bool IsLost => _isLost;

    public void Lose() => _isLost = true;

    public void Dispose() => _shards.ForEach(one => one.Dispose());
}

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
            Reader = new PollingReader(
                register, _writing.Id, way.Prefix, plan.Options, Destination, session.Events, intervalNs);
            return;
        }

        var subscription = new PushSubscription(
            kind, KeyNames.Begin(way.Prefix, _writing.Id), Destination.Target.Endpoint.Database, plan.Options.Prefix);
        _looks = new KeyLooks(way.Destination, way.Prefix, _writing.Id, role: null);
        Reader = new PushReader(
            register, subscription, _writing.DueOf, plan.Options.Deadline, Destination, _looks,
            new LinkStandstill(Destination.Label, intervalNs, session.Events));
    }

    public KeyWay Way { get; }
    public DelayTally Tally { get; } = new();
    public IKeyReader Reader { get; }
    public LastingPipeline Destination { get; }

    public KeyCounts Counts => KeyCounts.Of([.. Writers], destinations: 1, Tally);

    public MetricSet Metrics => field ??= DelayMetrics.Of(Tally, () => Counts);

    public IEnumerable<KeyWriter> Writers => WriterNumbers.Select(number => _writing.KeyWriters[number]);

    private IEnumerable<int> WriterNumbers =>
        Enumerable.Range(0, _writing.Writers).Where(number => number % _writing.Places == Way.Stream);

    public void Dispose()
    {
        _looks?.Dispose();
        Destination.Dispose();
    }
}

internal sealed class SessionThread
{
    private readonly Thread _thread;
    private ExceptionDispatchInfo? _failure;

    public SessionThread(string name, Action run, Action failed)
    {
        _thread = new Thread(() => Run(run, failed)) { Name = name, IsBackground = true };
        _thread.Start();
    }

    public void Join() => _thread.Join();

    public bool Join(TimeSpan limit) => _thread.Join(limit);

    public void ThrowIfFailed() => _failure?.Throw();

    private void Run(Action run, Action failed)
    {
        try
        {
            run();
        }
#pragma warning disable CA1031 // It is thrown again on the thread of the run.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            _failure = ExceptionDispatchInfo.Capture(failure);
            failed();
        }
    }
}
