using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Sides;

/// <summary>What a writer measures whose reader is elsewhere: how late its keys left, and what WAIT took.</summary>
internal sealed class WriteIntervals
{
    private readonly WritingSession _writing;
    private readonly EventTeller _events;
    private readonly MetricSeries? _wait;
    private readonly OwnClock _clock;
    private long _answered;
    private long _answeredNs = MonotonicClock.NowNs();
    private long _takenNs = MonotonicClock.NowNs();

    public WriteIntervals(WritingSession writing, WaitProbes waits, OwnClock clock, ILogger logger)
    {
        (_writing, _clock, _events) = (writing, clock, new EventTeller(writing.Events, logger));
        Lateness = writing.NewLateness();
        Metrics = DelayMetrics.Of(
            tally: null, () => KeyCounts.Of(writing.KeyWriters), errorNs: null, [Lateness, .. waits.Series]);
        _wait = waits.Series is [var first, ..] ? first : null;
    }

    public MetricSet Metrics { get; }
    public MetricSeries Lateness { get; }

    public TimeSpan Unasked => TimeSpan.FromNanoseconds(_takenNs - _answeredNs);

    public void End(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        _takenNs = MonotonicClock.NowNs();
        if (_clock.Answered > _answered)
            (_answered, _answeredNs) = (_clock.Answered, _takenNs);
        _events.Tell();
        _writing.Describe(ref snapshot);
        if (_wait is not null)
        {
            snapshot.SentInterval = LatencyFigures.Of(_wait.Interval);
            snapshot.SentRun = LatencyFigures.Of(_wait.Total);
        }
    }
}
