using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Producer.Measuring;

/// <summary>The intervals of one target: its series, and what the live view shows of them.</summary>
internal sealed class RoundTripIntervals : IIntervalSource
{
    private readonly TargetSession _session;
    private readonly ProducerPlan _plan;
    private readonly ILogger _logger;
    private readonly string[] _tags;
    private long _sentBefore;
    private long _connectionsLostBefore;

    public RoundTripIntervals(TargetSession session, ProducerPlan plan, ILogger logger)
    {
        (_session, _plan, _logger) = (session, plan, logger);
        _tags = [.. session.Series.Select(series => session.TagOf(series.Name))];
    }

    /// <inheritdoc/>
    public void TakeBlock(TimeSpan duration)
    {
        var streams = _session.Recorded;
        for (var i = 0; i < _session.Series.Count; i++)
            _session.Series[i].EndBlock(streams);
        LatencyRecorder.Fence();
        for (var i = 0; i < _session.Series.Count; i++)
            _session.Series[i].TakeBlock(streams, duration);
    }

    /// <inheritdoc/>
    public void Take(in TakenInterval interval)
    {
        for (var i = 0; i < _tags.Length; i++)
        {
            _session.Series[i].EndInterval();
            interval.Write(_tags[i], _session.Series[i].Interval);
        }
    }

    /// <inheritdoc/>
    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        var totals = LiveTotals.Of(_session.Senders);
        snapshot.Elapsed = TimeSpan.FromNanoseconds(MonotonicClock.NowNs() - _session.MeasureStart);
        snapshot.Planned = _plan.Measure.Duration;
        snapshot.Progress = ProgressOf(totals.Asked, snapshot.Elapsed);
        snapshot.TargetRate = _plan.IsOpenLoop ? _plan.Rate : null;
        snapshot.AchievedRate = (totals.Sent - _sentBefore) / interval.Duration.TotalSeconds;
        snapshot.InFlight = totals.InFlight;
        snapshot.OneWay = _session.OneWay?.Provisional;
        snapshot.Sent = totals.Sent;
        snapshot.Returned = totals.Returned;
        snapshot.Unsent = totals.Unsent;
        snapshot.Duplicated = totals.Duplicated;
        snapshot.Reordered = totals.Reordered;
        snapshot.Late = totals.Late;
        snapshot.Errors = totals.Errors;
        snapshot.Lost = _plan.IsNoEcho ? 0 : Math.Max(0, totals.Sent - totals.InFlight - totals.Answered);
        for (var i = 0; i < _session.Series.Count; i++)
            Describe(_session.Series[i], ref snapshot);
        _sentBefore = totals.Sent;
        if (totals.ConnectionsLost > _connectionsLostBefore)
            ProducerLog.ConnectionLost(_logger, _session.Name);
        _connectionsLostBefore = totals.ConnectionsLost;
    }

    private static void Describe(CollectedSeries series, ref LiveSnapshot snapshot)
    {
        switch (series.Name)
        {
            case SeriesNames.RoundTrip:
                snapshot.SentInterval = LatencyFigures.Of(series.Interval);
                snapshot.SentRun = LatencyFigures.Of(series.Total);
                break;
            case SeriesNames.RoundTripFromIntended:
                snapshot.IntendedInterval = LatencyFigures.Of(series.Interval);
                snapshot.IntendedRun = LatencyFigures.Of(series.Total);
                break;
            case SeriesNames.Lateness:
                snapshot.LatenessP99 = series.Interval.ValueAtPercentile(99);
                break;
        }
    }

    private double? ProgressOf(long asked, TimeSpan elapsed) => _plan.Measure switch
    {
        { Messages: { } messages } => Math.Min(1, (double)asked / messages),
        { Duration: { } duration } => Math.Min(1, elapsed / duration),
        _ => null,
    };
}
