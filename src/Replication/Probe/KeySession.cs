using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Probe;

/// <summary>A session in which each probe has a new key.</summary>
internal sealed class KeySession(DelayPlan plan, long keys, SessionEvents events, IStopToken stop)
    : ProbeSession(plan, keys, events, stop)
{
    private readonly List<KeyWriter> _writers = [];
    private readonly Dictionary<int, KeyTrace> _traces = [];
    // Of each source.
    private readonly List<long> _roundTripsBeforeNs = [];

    public KeyLedger Ledger { get; } = new(keys);

    public IReadOnlyList<KeyWriter> KeyWriters => _writers;

    // The time that the rate is divided by: the schedule's, and until the last answer where it left a queue.
    public long WritingNs { get; private set; }

    public ScheduleBacklog Queue { get; private set; }

    // From when a key was due until its write was answered.
    public LatencyHistogram Answered { get; } = LatencyHistogram.ForLatency();

    public DelayCounts Written => DelayCounts.Sum(_writers, writer => writer.Counts);

    public override DelayCounts Counts =>
        Destinations.Count == 0 ? Written : DelayCounts.Sum(Destinations, destination => destination.Counts);

    public override double Rate => Options.Rate;

    protected override IStopToken Reconnecting => Stop;

    // For --each-key.
    public KeyTrace? TraceAt(int destination) => _traces.GetValueOrDefault(destination);

    public override void Describe(ref LiveSnapshot snapshot)
    {
        base.Describe(ref snapshot);
        snapshot.Planned = Plan.Planned;
        var done = Writers.Count > 0 ? Written.Asked : snapshot.Returned + snapshot.Lost;
        snapshot.Progress = Math.Min(1, (double)done / Plan.Keys);
    }

    protected override void AddCounts(MetricSet metrics) =>
        DelayMetrics.AddCounts(
            metrics, () => Counts, Destinations.Count > 0 ? Tally : null, isReadHere: Destinations.Count > 0);

    protected override ProbeWriter NewWriter(KeyStream stream, ReconnectingPipeline pipeline, int index)
    {
        if (index < Streams.Count)
        {
            using var control = stream.Source.Require().OpenControl();
            _roundTripsBeforeNs.Add(ServerFacts.Read(control).RoundTrip.InNanoseconds);
        }

        var writer = new KeyWriter(this, pipeline, stream.Prefix, index);
        _writers.Add(writer);
        return writer;
    }

    protected override IShardProbes ProbesOf(KeyRoute route)
    {
        var destination = route.DestinationNumber;
        if (Options.EachKey && !_traces.ContainsKey(destination))
            _traces.Add(destination, new KeyTrace(Ledger.Keys));
        return new LedgerKeys(this, route, TraceAt(destination));
    }

    protected override void Join(IReadOnlyList<SessionThread> writers, IReadOnlyList<SessionThread> readers)
    {
        foreach (var writer in writers)
            writer.Join();
        if (writers.Count > 0)
            EndWriting();
        foreach (var reader in readers)
            reader.Join();
    }

    private void EndWriting()
    {
        // Who gave up does not make the schedule shorter; who was told to stop does.
        if (!Stop.IsRequested)
        {
            foreach (var writer in _writers)
                writer.OmitUntil(long.MaxValue);
        }

        Ledger.End();
        var now = MonotonicClock.NowNs();
        // The last key has its share of the time as well.
        var scheduledNs = (long)(Written.Asked * Schedule.IntervalNs);
        WritingNs = Math.Max(
            Math.Max(1, scheduledNs), _writers.Max(writer => writer.EndedNs ?? now) - Schedule.StartNs);
        var afterEnd = LatencyHistogram.ForLatency();
        foreach (var writer in _writers)
        {
            Answered.Add(writer.Answered);
            afterEnd.Add(writer.AfterEnd);
        }

        Queue = ScheduleBacklog.Of(afterEnd, Answered, _roundTripsBeforeNs.Min());
        WritingNs += Queue.DurationNs;
    }
}
