using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// What is measured by a reader: shown as it is found, logged at the end. A delay is known when the offset of its
/// moment is.
/// </summary>
internal sealed class ReadIntervals
{
    private const long SecondNs = 1_000_000_000;
    private const long BlockNs = SecondNs / BlockSchedule.TicksPerSecond;

    private readonly IReadOnlyList<AnnouncedReading> _readings;
    private readonly Announcement _announced;
    private readonly SettledClock _clock;
    private readonly EventTeller _events;
    private readonly long _startNs = MonotonicClock.NowNs();
    private long _returnedBefore;

    public ReadIntervals(
        DelayTally tally, IReadOnlyList<AnnouncedReading> readings, Announcement announced, SettledClock clock,
        SessionEvents events, ILogger logger)
    {
        (_readings, _announced, _clock) = (readings, announced, clock);
        _events = new EventTeller(events, logger);
        Uncertainty = new(DelayMetrics.Uncertainty, [.. readings.Select(reading => reading.Tally.Uncertainty)]);
        var lateness = new MetricSeries(DelayMetrics.Lateness, [.. readings.Select(one => one.Delays.Lateness)]);
        Metrics = DelayMetrics.Of(
            tally, Counts, () => readings.Max(one => one.Delays.ErrorNs), Uncertainty, lateness);
        Metrics.AddReading(Metric.Hiccups, threshold => Provisional.Find(threshold));
        foreach (var one in readings.Where(one => one.Shard.Slots is not null))
            Metrics.Add(one.Metrics);
        Provisional.Add(
            new MetricSeries(DelayMetrics.Delay, [.. readings.Select(one => one.Keys.Provisional.FromSent)]),
            isLogged: false);
        Provisional.Add(
            new MetricSeries(
                DelayMetrics.DelayFromIntended, [.. readings.Select(one => one.Keys.Provisional.FromIntended)]),
            isLogged: false);
        DelayMetrics.AddCounts(Provisional, Counts);
        Provisional.Add(DelayMetrics.InFlight, () => readings.Sum(reading => reading.Reader.Pending));
    }

    // By the clock as it is known when a key is found.
    public MetricSet Provisional { get; } = new();
    public MetricSet Metrics { get; }
    public MetricSeries Uncertainty { get; }

    public void End(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        _clock.Feed();
        _events.Tell();
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
        var next = new int[_readings.Count];
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

    private KeyCounts Counts()
    {
        var sum = default(KeyCounts);
        for (var i = 0; i < _readings.Count; i++)
            sum += _readings[i].Counts;
        return sum;
    }

    private bool AddUntil(long endNs, int[] next)
    {
        var isAny = false;
        for (var i = 0; i < next.Length; i++)
        {
            var keys = _readings[i].Keys.Read;
            for (; next[i] < keys.Count && keys[next[i]].FoundNs < endNs; next[i]++)
            {
                _readings[i].Delays.Add(keys[next[i]]);
                isAny = true;
            }
        }

        return isAny;
    }

    private bool IsMore(int[] next)
    {
        for (var i = 0; i < next.Length; i++)
        {
            if (next[i] < _readings[i].Keys.Read.Count)
                return true;
        }

        return false;
    }
}
