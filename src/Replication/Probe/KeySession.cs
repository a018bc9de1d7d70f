using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Shards;

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

    public void Run()
    {
        var start = MonotonicClock.NowNs() + (LeadTime.Ticks * TimeSpan.NanosecondsPerTick);
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
