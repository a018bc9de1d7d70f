using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication;

/// <summary>
/// What is measured by a reader: shown as it is found, logged at the end. A delay is known when the offset of its
/// moment is.
/// </summary>
internal sealed class ReadIntervals
{
    private const long SecondNs = 1_000_000_000;
    private const long BlockNs = SecondNs / BlockSchedule.TicksPerSecond;

    private readonly IReadOnlyList<AnnouncedKeys> _shards;
    private readonly Announcement _announced;
    private readonly SettledClock _clock;
    private readonly EventReporter _events;
    private readonly long _startNs = MonotonicClock.NowNs();
    private long _returnedBefore;

    public ReadIntervals(
        IReadOnlyList<AnnouncedKeys> shards, DestinationReading destination, Announcement announced,
        SettledClock clock, SessionEvents events, ILogger logger)
    {
        var counts = () => destination.Counts;
        (_shards, _announced, _clock) = (shards, announced, clock);
        _events = new EventReporter(events, logger);
        var lateness = new MetricSeries(DelayMetrics.Lateness, [.. shards.Select(one => one.Delays.Lateness)]);
        Metrics = DelayMetrics.Of(
            destination.Tally, counts, () => shards.Max(one => one.Delays.ErrorNs), destination.Uncertainty,
            lateness);
        Metrics.AddReading(Metric.Hiccups, threshold => Provisional.Find(threshold));
        foreach (var one in destination.Shards.Where(one => one.Keys.Shard is not null))
            Metrics.Add(one.Metrics);
        AddProvisional(DelayMetrics.Delay, tally => tally.FromSent);
        AddProvisional(DelayMetrics.DelayFromIntended, tally => tally.FromIntended);
        DelayMetrics.AddCounts(Provisional, counts);
        Provisional.Add(DelayMetrics.InFlight, () => destination.Shards.Sum(reading => reading.Reader.Pending));

        void AddProvisional(Metric metric, Func<DelayTally, DelaySeries> series) => Provisional.Add(
            new MetricSeries(metric, [.. shards.Select(one => series(one.Provisional).Uppers)]),
            isLogged: false);
    }

    public MetricSet Provisional { get; } = new();
    public MetricSet Metrics { get; }

    public void End(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        _clock.Feed();
        _events.Report();
        snapshot.Elapsed = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - _startNs);
        snapshot.Planned = TimeSpan.FromSeconds(_announced.Keys * _announced.IntervalNs / 1e9);
        snapshot.Progress = Math.Min(1, (double)(snapshot.Returned + snapshot.Lost) / _announced.Keys);
        snapshot.TargetRate = 1e9 / _announced.IntervalNs;
        snapshot.AchievedRate = (snapshot.Returned - _returnedBefore) / interval.Duration.TotalSeconds;
        _returnedBefore = snapshot.Returned;
    }

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
