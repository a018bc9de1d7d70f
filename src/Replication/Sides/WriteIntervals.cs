using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

/// <summary>The intervals of a writer whose reader is elsewhere: how late its keys left, and what WAIT took.</summary>
internal sealed class WriteIntervals : IIntervalSource
{
    private readonly WritingSession _writing;
    private readonly DelayPlan _plan;
    private readonly EventTeller _events;
    private readonly CollectedSeries? _wait;
    private readonly OwnClock _clock;
    private long _sentBefore;
    private long _answered;
    private long _answeredNs = MonotonicClock.NowNs();
    private long _takenNs = MonotonicClock.NowNs();

    public WriteIntervals(WritingSession writing, WaitProbes waits, OwnClock clock, DelayPlan plan, ILogger logger)
    {
        (_writing, _clock, _plan) = (writing, clock, plan);
        _events = new EventTeller(writing.Events, logger);
        Lateness = new(DelaySeriesNames.Lateness, [.. writing.KeyWriters.Select(writer => writer.Lateness)]);
        Series = [Lateness, .. waits.Series];
        _wait = waits.Series is [var first, ..] ? first : null;
    }

    public CollectedSeries Lateness { get; }

    public TimeSpan Unasked => TimeSpan.FromNanoseconds(_takenNs - _answeredNs);

    public IReadOnlyList<CollectedSeries> Series { get; }

    public void TakeBlock(TimeSpan duration)
    {
        for (var i = 0; i < Series.Count; i++)
            Series[i].TakeBlock(duration);
    }

    public void Take(in TakenInterval interval)
    {
        for (var i = 0; i < Series.Count; i++)
        {
            Series[i].EndInterval();
            interval.Write(Series[i].Name, Series[i].Interval);
        }

        _takenNs = MonotonicClock.NowNs();
        if (_clock.Answered > _answered)
            (_answered, _answeredNs) = (_clock.Answered, _takenNs);
        _events.Tell();
    }

    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        var sent = _writing.Sent;
        var unsent = _writing.Unsent;
        snapshot.Elapsed = TimeSpan.FromNanoseconds(Math.Max(0, MonotonicClock.NowNs() - _writing.StartNs));
        snapshot.Planned = _plan.Planned;
        snapshot.Progress = Math.Min(1, (double)(sent + unsent) / _plan.Keys);
        snapshot.TargetRate = _plan.Options.Rate;
        snapshot.AchievedRate = (sent - _sentBefore) / interval.Duration.TotalSeconds;
        snapshot.Sent = sent;
        snapshot.Unsent = unsent;
        snapshot.Errors = _writing.Refused;
        snapshot.LatenessP99 = Lateness.Interval.ValueAtPercentile(99);
        if (_wait is not null)
        {
            snapshot.SentInterval = LatencyFigures.Of(_wait.Interval);
            snapshot.SentRun = LatencyFigures.Of(_wait.Total);
        }

        _sentBefore = sent;
    }
}
