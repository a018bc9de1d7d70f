using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// Probes that are written by a schedule, here or elsewhere, and polled for at the destinations that are reached here.
/// Who derives from it has their keys: a new one each time, or one that is used again.
/// </summary>
internal abstract class ProbeSession : IDisposable
{
    private readonly StopSignal _ending = new();
    private readonly CancellationTokenRegistration _stopped;
    private readonly List<ReconnectingPipeline> _sources = [];
    private readonly List<ProbeWriter> _writers = [];
    private readonly List<DestinationReading> _destinations = [];
    private volatile Exception? _failure;

    protected ProbeSession(DelayPlan plan, long count, SessionEvents events, IStopToken stop)
    {
        (Plan, Events, Stop) = (plan, events, stop);
        Schedule = new ProbeSchedule(plan.IntervalNs, count);
        _stopped = stop.Cancellation.Register(End);
    }

    public ulong Id { get; } = RunIdentity.NewProcess();
    public ProbeSchedule Schedule { get; }
    public SessionEvents Events { get; }

    public DelayOptions Options => Plan.Options;

    public IStopToken Ending => _ending;

    public IReadOnlyList<KeyStream> Streams { get; private set; } = [];

    public IReadOnlyList<ProbeWriter> Writers => _writers;

    public IReadOnlyList<DestinationReading> Destinations => _destinations;

    public IEnumerable<ShardReading> Readings => _destinations.SelectMany(destination => destination.Shards);

    // Of all destinations together.
    public DelayTally Tally => field ??= DelayTally.Of([.. _destinations.Select(one => one.Tally)]);

    public MetricSeries Lateness => field ??= new(DelayMetrics.Lateness, [.. _writers.Select(one => one.Lateness)]);

    // What was read counts once for each destination.
    public abstract DelayCounts Counts { get; }

    // Probes a second, of all shards together.
    public abstract double Rate { get; }

    // What of it only its writer has counts of here.
    public virtual IReadOnlyList<IShardProbes> ReadElsewhere => [];

    public long EndedNs { get; private set; }

    // Which server is, in a sentence.
    public string? Lost =>
        (_writers.Find(writer => writer.IsLost)?.Label
            ?? Readings.FirstOrDefault(one => one.Reader.IsLost)?.Destination.Label) is { } label
            ? $"{label} is lost"
            : null;

    protected DelayPlan Plan { get; }
    protected IStopToken Stop { get; }

    // What ends attempts to reconnect.
    protected abstract IStopToken Reconnecting { get; }

    public RedisPipeline PipelineTo(int stream) => _sources[stream].Current;

    public void Write(IReadOnlyList<KeyStream> streams)
    {
        Streams = streams;
        for (var index = 0; index < Options.Writers * streams.Count; index++)
        {
            var stream = streams[index % streams.Count];
            var pipeline = new ReconnectingPipeline(stream.Source, Options.ReconnectTimeout, Events, Reconnecting);
            _sources.Add(pipeline);
            _writers.Add(NewWriter(stream, pipeline, index));
        }
    }

    // What this process writes: every destination reads the same.
    public void Read(IEnumerable<ReadDestination> destinations, IReadOnlyList<KeyRoute> routes)
    {
        foreach (var destination in destinations)
        {
            Read(
                destination,
                routes.Where(route => route.DestinationNumber == destination.Number)
                    .Select(route => (ProbesOf(route), route.Destination)));
        }
    }

    public void Read(ReadDestination destination, IEnumerable<(IShardProbes Probes, IServerLocator Server)> shards) =>
        _destinations.Add(new DestinationReading(
            destination,
            [
                .. shards.Select(one => new ShardReading(one.Probes, one.Server, Options, Events, Reconnecting)),
            ]));

    public MetricSet NewMetrics(IEnumerable<MetricSeries> waits)
    {
        var isReadHere = _destinations.Count > 0;
        IEnumerable<MetricSeries> uncertainty = _destinations.Count switch
        {
            0 => [],
            1 => [_destinations[0].Uncertainty],
            _ => [new(DelayMetrics.Uncertainty, [.. _destinations.Select(one => one.Uncertainty)])],
        };
        IEnumerable<MetricSeries> lateness = _writers.Count > 0 ? [Lateness] : [];
        var metrics = DelayMetrics.Of(
            isReadHere ? Tally : null, counts: null, errorNs: null, [.. uncertainty, .. lateness, .. waits]);
        AddCounts(metrics);
        if (isReadHere)
            metrics.Add(DelayMetrics.InFlight, () => Readings.Sum(reading => reading.Reader.Pending));
        // In the order of the record's summaries.
        foreach (var one in _destinations.Where(_ => _destinations.Count > 1))
            metrics.Add(one.Metrics);
        foreach (var one in Readings.Where(reading => reading.Probes.Shard is not null))
            metrics.Add(one.Metrics);
        return metrics;
    }

    public virtual void Describe(ref LiveSnapshot snapshot)
    {
        snapshot.Elapsed = TimeSpan.FromNanoseconds(Math.Max(0, MonotonicClock.NowNs() - Schedule.StartNs));
        snapshot.TargetRate = Rate;
    }

    public void Run(long startNs)
    {
        Schedule.Begin(startNs);
        var readers = _destinations.SelectMany(Start).ToList();
        var writers = _writers.Select((writer, index) => new SessionThread(
            FormattableString.Invariant($"probe-writer-{index}"), writer.Run, End, countsWaits: false)).ToList();
        Join(writers, readers);
        EndedNs = MonotonicClock.NowNs();
        foreach (var pipeline in _sources.Concat(Readings.Select(reading => reading.Destination)))
            pipeline.RequireSilence();
        foreach (var thread in readers.Concat(writers))
            thread.ThrowIfFailed();
        if (_failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    // Nobody asks who.
    public void End() => _ending.Request(StopCause.Terminate);

    public void End(Exception failure)
    {
        _failure = failure;
        End();
    }

    public virtual void Dispose()
    {
        _stopped.Dispose();
        _sources.ForEach(pipeline => pipeline.Dispose());
        _destinations.ForEach(destination => destination.Dispose());
        _ending.Dispose();
    }

    protected abstract void AddCounts(MetricSet metrics);

    protected abstract ProbeWriter NewWriter(KeyStream stream, ReconnectingPipeline pipeline, int index);

    protected abstract IShardProbes ProbesOf(KeyRoute route);

    // Until all that is written was read, or will not be.
    protected abstract void Join(IReadOnlyList<SessionThread> writers, IReadOnlyList<SessionThread> readers);

    private IEnumerable<SessionThread> Start(DestinationReading destination) => destination.Shards.Select(
        (reading, shard) => new SessionThread(
            FormattableString.Invariant($"probe-reader-{destination.Destination.Number}-{shard}"),
            reading.Reader.Run,
            () => Lose(destination, reading)));

    // Nobody writes for readers that are gone; as long as there is one, its probes are measured.
    private void Lose(DestinationReading destination, ShardReading reading)
    {
        destination.Lose();
        if (_destinations.TrueForAll(one => one.IsLost))
            End();
        else
            Events.Note("lost", $"{reading.Destination.Label}: was lost for good; the others are still measured");
    }
}
