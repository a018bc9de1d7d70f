using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

internal sealed class WritingSession : IDisposable
{
    private readonly DelayPlan _plan;
    private readonly List<LastingPipeline> _pipelines = [];
    private readonly List<SessionThread> _threads = [];
    private readonly IStopToken _stop;
    private readonly CancellationTokenSource _ending;
    private long _startNs;

    public WritingSession(
        DelayPlan plan, long keys, IReadOnlyList<(string Prefix, IServerPlace Place)> places, SessionEvents events,
        IStopToken stop)
    {
        (_plan, _stop, Events) = (plan, stop, events);
        _ending = CancellationTokenSource.CreateLinkedTokenSource(stop.Cancellation);
        Ledger = new KeyLedger(keys);
        Places = places.Count;
        KeyWriters = [.. Enumerable.Range(0, Writers).Select(index => WriterAt(places[index % places.Count], index))];
    }

    public ulong Id { get; } = DelayPlan.NewSession();

    public DelayOptions Options => _plan.Options;

    public KeyLedger Ledger { get; }
    public SessionEvents Events { get; }
    public int Places { get; }

    public int Writers => Options.Writers * Places;

    public CancellationToken Ending => _ending.Token;

    public IReadOnlyList<KeyWriter> KeyWriters { get; }

    public RedisPipeline PipelineTo(int place) => _pipelines[place].Current;

    public long StartNs => _startNs;

    public long WritingNs { get; private set; }

    public KeyCounts Counts => KeyCounts.Of(KeyWriters);

    public long DueOf(long sequence) => _startNs + (long)(sequence * _plan.IntervalNs);

    public MetricSeries NewLateness() => new(DelayMetrics.Lateness, [.. KeyWriters.Select(writer => writer.Lateness)]);

    public void Describe(ref LiveSnapshot snapshot)
    {
        snapshot.Elapsed = TimeSpan.FromNanoseconds(Math.Max(0, MonotonicClock.NowNs() - _startNs));
        snapshot.Planned = _plan.Planned;
        snapshot.Progress = Math.Min(1, (double)Counts.Asked / _plan.Keys);
        snapshot.TargetRate = Options.Rate;
    }

    public void Start(long startNs)
    {
        _startNs = startNs;
        _threads.AddRange(KeyWriters.Select((writer, index) => new SessionThread(
            FormattableString.Invariant($"delay-writer-{index}"), writer.Run, Abandon)));
    }

    public void Abandon() => _ending.Cancel();

    public void Join()
    {
        _threads.ForEach(writer => writer.Join());
        // Who gave up does not make the schedule shorter; who was told to stop does.
        if (!_stop.IsRequested)
        {
            foreach (var writer in KeyWriters)
                writer.OmitUntil(long.MaxValue);
        }

        Ledger.End();
        WritingNs = Math.Max(1, MonotonicClock.NowNs() - _startNs);
    }

    public void ThrowIfFailed() => _threads.ForEach(writer => writer.ThrowIfFailed());

    public void Dispose()
    {
        _pipelines.ForEach(pipeline => pipeline.Dispose());
        _ending.Dispose();
    }

    private KeyWriter WriterAt((string Prefix, IServerPlace Server) place, int index)
    {
        var pipeline = new LastingPipeline(place.Server, Options.ReconnectTimeout, Events, _stop);
        _pipelines.Add(pipeline);
        return new KeyWriter(this, pipeline, place.Prefix, index);
    }
}
