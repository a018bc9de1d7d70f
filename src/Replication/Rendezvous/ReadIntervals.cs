using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>
/// What is measured by a reader: shown as it is found, logged at the end. A delay is known when the offset of its
/// moment is.
/// </summary>
internal sealed class ReadIntervals
{
    private const long SecondNs = 1_000_000_000;
    private const long BlockNs = SecondNs / BlockSchedule.TicksPerSecond;

    private readonly IReadOnlyList<AnnouncedKeys> _shards;
    private readonly long _startNs = MonotonicClock.NowNs();

    public ReadIntervals(IReadOnlyList<AnnouncedKeys> shards, DestinationReading destination)
    {
        var counts = () => destination.Counts;
        _shards = shards;
        var lateness = new MetricSeries(DelayMetrics.Lateness, [.. shards.Select(one => one.Delays.Lateness)]);
        Metrics = DelayMetrics.Of(
            destination.Tally, counts, () => shards.Max(one => one.Delays.ErrorNs), destination.Uncertainty, lateness);
        Metrics.AddReading(Metric.Hiccups, threshold => Provisional.Find(threshold));
        foreach (var one in destination.Shards.Where(one => one.Probes.Shard is not null))
            Metrics.Add(one.Metrics);
        AddProvisional(DelayMetrics.Delay, tally => tally.FromSent);
        AddProvisional(DelayMetrics.DelayFromIntended, tally => tally.FromIntended);
        DelayMetrics.AddCounts(Provisional, counts, tally: null, isReadHere: true);
        Provisional.Add(DelayMetrics.InFlight, () => destination.Shards.Sum(reading => reading.Reader.Pending));

        void AddProvisional(Metric metric, Func<DelayTally, DelaySeries> series) => Provisional.Add(
            new MetricSeries(metric, [.. shards.Select(one => series(one.Provisional).Uppers)]),
            isLogged: false);
    }

    // From when the first key was due to when the last one was sent.
    public long WritingNs =>
        Math.Max(1, _shards.Max(one => one.Delays.LastSentNs) - _shards.Min(one => one.FirstDueNs));

    public MetricSet Provisional { get; } = new();
    public MetricSet Metrics { get; }

    public void Correct(IntervalLogFile log)
    {
        var wallClock = WallClockMapping.Sample();
        var next = new int[_shards.Count];
        for (var start = _startNs; IsMore(next); start += SecondNs)
        {
            var isAny = false;
            for (var end = start + BlockNs; end <= start + SecondNs; end += BlockNs)
            {
                isAny |= AddUntil(end, next);
                Metrics.TakeBlock(BlockSchedule.Tick);
            }

            Metrics.EndInterval();
            if (!isAny)
                continue;
            foreach (var (tag, series) in Metrics.Logged)
                log.Write(tag, wallClock.ToUtc(start), TimeSpan.FromSeconds(1), series.Interval);
        }
    }

    private bool AddUntil(long endNs, int[] next)
    {
        var isAny = false;
        for (var i = 0; i < next.Length; i++)
        {
            var keys = _shards[i].Read;
            for (; next[i] < keys.Count && keys[next[i]].FoundNs < endNs; next[i]++)
            {
                _shards[i].Delays.Add(keys[next[i]]);
                isAny = true;
            }
        }

        return isAny;
    }

    private bool IsMore(int[] next) => _shards.Where((one, i) => next[i] < one.Read.Count).Any();
}
