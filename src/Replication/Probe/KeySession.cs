using System.Runtime.ExceptionServices;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

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
            var trace = plan.Options.EachKey ? new KeyTrace(keys) : null;
            _destinations.Add(new DestinationReading(
                destination,
                [
                    .. ways.Where(way => way.DestinationNumber == destination.Number)
                        .Select(way => new ShardReading(plan, destination.Reading, way, trace, this, stop)),
                ])
            {
                Trace = trace,
            });
        }

        Tally = DelayTally.Of([.. _destinations.Select(one => one.Tally)]);
    }

    public WritingSession Writing { get; }

    public IReadOnlyList<DestinationReading> Destinations => _destinations;

    public IEnumerable<KeyReading> Readings => _destinations.SelectMany(destination => destination.Shards);

    public DelayTally Tally { get; }
    public SessionEvents Events { get; }

    // A key counts once for each destination.
    public KeyCounts Counts
    {
        get
        {
            var sum = default(KeyCounts);
            for (var i = 0; i < _destinations.Count; i++)
                sum += _destinations[i].Counts;
            return sum;
        }
    }

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
        (reading, shard) => new SessionThread(
            FormattableString.Invariant($"delay-reader-{destination.Destination.Number}-{shard}"),
            reading.Reader.Run,
            () => Lose(destination, reading)));

    // Nobody writes for readers that are gone; as long as there is one, its keys are measured.
    private void Lose(DestinationReading destination, KeyReading reading)
    {
        destination.Lose();
        if (_destinations.TrueForAll(one => one.IsLost))
            Writing.Abandon();
        else
            Events.Note("lost", $"{reading.Destination.Label}: was lost for good; the others are still measured");
    }
}

internal sealed class ShardReading : KeyReading
{
    // Beyond that the first ones say enough.
    private const int MostAskedOfSource = 10_000;

    private readonly List<KeyWriter> _writers;
    private readonly Lazy<long?> _missingAtSource;

    public ShardReading(
        DelayPlan plan, ReadingKind kind, KeyWay way, KeyTrace? trace, KeySession session, IStopToken stop)
        : base(way.Shard, way.Destination, plan.Options, session.Events, stop)
    {
        var writing = session.Writing;
        Way = way;
        List<int> numbers =
            [.. Enumerable.Range(0, writing.Writers).Where(number => number % writing.Places == way.Stream)];
        _writers = [.. numbers.Select(number => writing.KeyWriters[number])];
        _missingAtSource = new Lazy<long?>(() => CountMissingAtSource(writing.Id));
        Reader = ReaderOf(
            new LedgerKeys(writing.Ledger, writing.Writers, numbers, Tally, trace), kind, way.Prefix, writing.Id,
            plan.IntervalNs * writing.Places, writing.DueOf, isGuarded: false);
    }

    public KeyWay Way { get; }
    public override IKeyReader Reader { get; }

    public override string Source => Way.Source.LastName;

    public override KeyCounts Counts => KeyCounts.Of(_writers, Tally);

    public override long? MissingAtSource => _missingAtSource.Value;

    // One that was evicted there could never come.
    private long? CountMissingAtSource(ulong session)
    {
        if (Tally.MissingCount == 0)
            return 0;
        try
        {
            using var control = Way.Source.Require().OpenControl();
            var key = new KeyNames(Way.Prefix, session);
            return Tally.Missing.Take(MostAskedOfSource).Select(sequence => Encoding.ASCII.GetString(key.Of(sequence)))
                .Chunk(500).Sum(chunk => chunk.Length - control.Execute(["EXISTS", .. chunk]).Number);
        }
        catch (RedisException)
        {
            return null;
        }
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
