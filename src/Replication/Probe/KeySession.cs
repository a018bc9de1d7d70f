using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Probe;

/// <summary>Keys that are written once each, by a schedule, and read at the destinations reached here.</summary>
internal sealed class KeySession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);

    private readonly DelayPlan _plan;
    private readonly IStopToken _stop;
    private readonly CancellationTokenSource _ending;
    private readonly List<ReconnectingPipeline> _pipelines = [];
    private readonly List<SessionThread> _threads = [];
    private readonly List<DestinationReading> _destinations = [];

    public KeySession(
        DelayPlan plan, long keys, IReadOnlyList<(string Prefix, IServerLocator Place)> streams, SessionEvents events,
        IStopToken stop)
    {
        (_plan, _stop, Events) = (plan, stop, events);
        _ending = CancellationTokenSource.CreateLinkedTokenSource(stop.Cancellation);
        Ledger = new KeyLedger(keys);
        Streams = streams.Count;
        KeyWriters = [.. Enumerable.Range(0, Writers).Select(index => WriterAt(streams[index % Streams], index))];
        Lateness = new(DelayMetrics.Lateness, [.. KeyWriters.Select(writer => writer.Lateness)]);
    }

    public KeySession(
        DelayPlan plan, IReadOnlyList<ReadDestination> destinations, long keys, IReadOnlyList<KeyRoute> ways,
        SessionEvents events, IStopToken stop)
        : this(plan, keys, KeyRoute.StreamsOf(ways), events, stop)
    {
        foreach (var destination in destinations)
        {
            var trace = plan.Options.EachKey ? new KeyTrace(keys) : null;
            _destinations.Add(new DestinationReading(
                destination,
                [
                    .. ways.Where(way => way.DestinationNumber == destination.Number).Select(way => new KeyReading(
                        new LedgerKeys(this, way, trace), way.Destination, Options, events, stop)),
                ])
            {
                Trace = trace,
            });
        }

        Tally = DelayTally.Of([.. _destinations.Select(one => one.Tally)]);
    }

    // Where another process writes.
    public KeySession(DelayPlan plan, DestinationReading destination, SessionEvents events, IStopToken stop)
        : this(plan, 0, [], events, stop)
    {
        _destinations.Add(destination);
        Tally = destination.Tally;
    }

    public ulong Id { get; } = ProbeKey.NewNumber();

    public DelayOptions Options => _plan.Options;

    public double IntervalNs => _plan.IntervalNs;

    public KeyLedger Ledger { get; }
    public SessionEvents Events { get; }
    public int Streams { get; }

    public int Writers => Options.Writers * Streams;

    public CancellationToken Ending => _ending.Token;

    public IReadOnlyList<KeyWriter> KeyWriters { get; }
    public MetricSeries Lateness { get; }

    public IReadOnlyList<DestinationReading> Destinations => _destinations;

    public IEnumerable<KeyReading> Readings => _destinations.SelectMany(destination => destination.Shards);

    // Null where another process reads.
    public DelayTally? Tally { get; }
    public long StartNs { get; private set; }

    // The time that the rate is divided by: the schedule's, and until the last answer where it left a queue.
    public long WritingNs { get; private set; }
    public long QueueNs { get; private set; }

    // From when a key was due until its write was answered.
    public LatencyHistogram Answered { get; } = LatencyHistogram.ForLatency();

    public KeyCounts Written => KeyCounts.Of(KeyWriters);

    // A key counts once for each destination.
    public KeyCounts Counts =>
        _destinations.Count == 0 ? Written : KeyCounts.Sum(_destinations, destination => destination.Counts);

    public RedisPipeline PipelineTo(int stream) => _pipelines[stream].Current;

    public long DueOf(long sequence) => StartNs + (long)(sequence * IntervalNs);

    public MetricSet NewMetrics(IEnumerable<MetricSeries> waits)
    {
        IEnumerable<MetricSeries> uncertainty = _destinations.Count switch
        {
            0 => [],
            1 => [_destinations[0].Uncertainty],
            _ => [new(DelayMetrics.Uncertainty, [.. _destinations.Select(one => one.Uncertainty)])],
        };
        var metrics = DelayMetrics.Of(Tally, () => Counts, errorNs: null, [.. uncertainty, Lateness, .. waits]);
        if (Tally is not null)
            metrics.Add(DelayMetrics.InFlight, () => Readings.Sum(reading => reading.Reader.Pending));
        // In the order of the record's summaries.
        foreach (var one in _destinations.Where(_ => _destinations.Count > 1))
            metrics.Add(one.Metrics);
        foreach (var one in Readings.Where(reading => reading.Keys.Shard is not null))
            metrics.Add(one.Metrics);
        return metrics;
    }

    public void Describe(ref LiveSnapshot snapshot)
    {
        snapshot.Elapsed = TimeSpan.FromNanoseconds(Math.Max(0, MonotonicClock.NowNs() - StartNs));
        snapshot.Planned = _plan.Planned;
        snapshot.Progress = Math.Min(1, (double)Written.Asked / _plan.Keys);
        snapshot.TargetRate = Options.Rate;
    }

    public void Run()
    {
        Start(MonotonicClock.NowNs() + LeadTime.InNanoseconds);
        var readers = _destinations.SelectMany(Read).ToList();
        Join();
        readers.ForEach(reader => reader.Join());
        readers.ForEach(reader => reader.ThrowIfFailed());
        ThrowIfFailed();
    }

    public void Start(long startNs)
    {
        StartNs = startNs;
        _threads.AddRange(KeyWriters.Select((writer, index) => new SessionThread(
            FormattableString.Invariant($"delay-writer-{index}"), writer.Run, _ending.Cancel)));
    }

    // Until all are written.
    public void Join()
    {
        _threads.ForEach(writer => writer.Join());
        if (Writers == 0)
            return;
        // Who gave up does not make the schedule shorter; who was told to stop does.
        if (!_stop.IsRequested)
        {
            foreach (var writer in KeyWriters)
                writer.OmitUntil(long.MaxValue);
        }

        Ledger.End();
        var now = MonotonicClock.NowNs();
        // The last key has its share of the time as well.
        var scheduledNs = (long)(Written.Asked * IntervalNs);
        WritingNs = Math.Max(Math.Max(1, scheduledNs), KeyWriters.Max(writer => writer.EndedNs ?? now) - StartNs);
        var afterEnd = LatencyHistogram.ForLatency();
        foreach (var writer in KeyWriters)
        {
            Answered.Add(writer.Answered);
            afterEnd.Add(writer.AfterEnd);
        }

        QueueNs = LeftQueue.DurationNs(afterEnd, Answered);
        WritingNs += QueueNs;
    }

    public void ThrowIfFailed() => _threads.ForEach(writer => writer.ThrowIfFailed());

    public void Dispose()
    {
        _pipelines.ForEach(pipeline => pipeline.Dispose());
        _ending.Dispose();
        _destinations.ForEach(destination => destination.Dispose());
    }

    private KeyWriter WriterAt((string Prefix, IServerLocator Place) stream, int index)
    {
        var pipeline = new ReconnectingPipeline(stream.Place, Options.ReconnectTimeout, Events, _stop);
        _pipelines.Add(pipeline);
        return new KeyWriter(this, pipeline, stream.Prefix, index);
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
            _ending.Cancel();
        else
            Events.Note("lost", $"{reading.Destination.Label}: was lost for good; the others are still measured");
    }
}
