using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Sides;

/// <summary>A reader's intervals, logged at the end: a delay is known when the offset of its moment is.</summary>
internal sealed class ReadIntervals : IIntervalSource
{
    private const long SecondNs = 1_000_000_000;
    private const long BlockNs = SecondNs / BlockSchedule.TicksPerSecond;

    private readonly DelayTally _tally;
    private readonly IReadOnlyList<AnnouncedReading> _readings;
    private readonly Announcement _announced;
    private readonly SettledClock _clock;
    private readonly EventTeller _events;
    // Of the shards, by the places of their summaries in the record; the first is that of all keys.
    private readonly List<(string Tag, CollectedSeries Series)> _tagged;
    private readonly CollectedSeries _shownFromSent;
    private readonly CollectedSeries _shownFromIntended;
    private readonly long _startNs = MonotonicClock.NowNs();
    private long _readBefore;

    public ReadIntervals(
        DelayTally tally, IReadOnlyList<AnnouncedReading> readings, Announcement announced, SettledClock clock,
        SessionEvents events, ILogger logger)
    {
        (_tally, _readings, _announced, _clock) = (tally, readings, announced, clock);
        _events = new EventTeller(events, logger);
        Uncertainty = new(DelaySeriesNames.Uncertainty, [.. readings.Select(reading => reading.Tally.Uncertainty)]);
        _shownFromSent = new(tally.FromSent.Name, [.. readings.Select(one => one.Keys.Provisional.FromSent)]);
        _shownFromIntended = new(
            tally.FromIntended.Name, [.. readings.Select(one => one.Keys.Provisional.FromIntended)]);
        _tagged =
        [
            .. readings.Where(one => one.Shard.Slots is not null).SelectMany((one, shard) =>
                one.Tally.FromSent.Parts.Concat(one.Tally.FromIntended.Parts)
                    .Select(series => (SummaryMark.TagOf(1 + shard, series.Name), series))),
        ];
        Series = [.. tally.FromSent.Parts, .. tally.FromIntended.Parts, Uncertainty];
    }

    public CollectedSeries Uncertainty { get; }
    public IReadOnlyList<CollectedSeries> Series { get; }

    public void TakeBlock(TimeSpan duration)
    {
        _shownFromSent.TakeBlock(duration);
        _shownFromIntended.TakeBlock(duration);
    }

    public void Take(in TakenInterval interval)
    {
        _clock.Feed();
        _shownFromSent.EndInterval();
        _shownFromIntended.EndInterval();
        _events.Tell();
    }

    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        snapshot.Elapsed = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - _startNs);
        snapshot.Planned = TimeSpan.FromSeconds(_announced.Keys * _announced.IntervalNs / 1e9);
        snapshot.Progress = Math.Min(1, (double)(_tally.Read + _tally.MissingCount) / _announced.Keys);
        snapshot.TargetRate = 1e9 / _announced.IntervalNs;
        snapshot.AchievedRate = (_tally.Read - _readBefore) / interval.Duration.TotalSeconds;
        snapshot.Sent = _readings.Sum(reading => reading.Keys.Asked);
        snapshot.InFlight = _readings.Sum(reading => reading.Reader.Pending);
        snapshot.Returned = _tally.Read;
        snapshot.Lost = _tally.MissingCount;
        snapshot.Errors = _tally.Overwritten;
        snapshot.SentInterval = LatencyFigures.Of(_shownFromSent.Interval);
        snapshot.SentRun = LatencyFigures.Of(_shownFromSent.Total);
        snapshot.IntendedInterval = LatencyFigures.Of(_shownFromIntended.Interval);
        snapshot.IntendedRun = LatencyFigures.Of(_shownFromIntended.Total);
        _readBefore = _tally.Read;
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
                foreach (var series in Series)
                    series.TakeBlock(BlockSchedule.Tick);
            }

            foreach (var series in Series)
                series.EndInterval();
            if (!isAny)
                continue;
            foreach (var series in Series)
            {
                log.Write(series.Name, wallClock.ToUtc(start), TimeSpan.FromSeconds(1), series.Interval);
            }

            // Those that they are the sums of have been taken with them.
            foreach (var (tag, series) in _tagged)
                log.Write(tag, wallClock.ToUtc(start), TimeSpan.FromSeconds(1), series.Interval);
        }
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
