using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Live.Intervals;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Delay.Reporting;

/// <summary>The intervals of a session: its series, and what the live view shows of them.</summary>
internal sealed class DelayIntervals : IIntervalSource
{
    private readonly KeySession _session;
    private readonly DelayPlan _plan;
    private readonly ILogger _logger;
    private readonly CollectedSeries _lateness;
    private int _eventsTold;
    private long _sentBefore;

    public DelayIntervals(KeySession session, DelayPlan plan, ILogger logger)
    {
        (_session, _plan, _logger) = (session, plan, logger);
        _lateness = new(DelaySeriesNames.Lateness, [.. session.KeyWriters.Select(writer => writer.Lateness)]);
        Series =
        [
            .. session.Reader.FromSent.Parts, .. session.Reader.FromIntended.Parts,
            new(DelaySeriesNames.Uncertainty, session.Reader.Uncertainty), _lateness,
        ];
    }

    /// <summary>All series of the session.</summary>
    public IReadOnlyList<CollectedSeries> Series { get; }

    /// <inheritdoc/>
    public void Take(in TakenInterval interval)
    {
        for (var i = 0; i < Series.Count; i++)
        {
            Series[i].TakeInterval();
            interval.Write(Series[i].Name, Series[i].Interval);
        }

        if (_session.Events.All.Count == _eventsTold)
            return;
        foreach (var happened in _session.Events.All.Skip(_eventsTold))
            ReplicationLog.Happened(_logger, happened.Text);
        _eventsTold = _session.Events.All.Count;
    }

    /// <inheritdoc/>
    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        var reader = _session.Reader;
        long sent = 0;
        long unsent = 0;
        long refused = 0;
        for (var i = 0; i < _session.KeyWriters.Count; i++)
        {
            sent += _session.KeyWriters[i].Sent;
            unsent += _session.KeyWriters[i].Unsent;
            refused += _session.KeyWriters[i].Refused;
        }

        snapshot.Elapsed = TimeSpan.FromTicks(Math.Max(0, MonotonicClock.NowNs() - _session.StartNs) / 100);
        snapshot.Planned = _plan.Planned;
        snapshot.Progress = Math.Min(1, (double)(sent + unsent) / _plan.Keys);
        snapshot.TargetRate = _plan.Options.Rate;
        snapshot.AchievedRate = (sent - _sentBefore) / interval.Duration.TotalSeconds;
        snapshot.InFlight = reader.Pending;
        snapshot.Sent = sent;
        snapshot.Unsent = unsent;
        snapshot.Returned = reader.Read;
        snapshot.Lost = reader.MissingCount;
        snapshot.Errors = refused + reader.Overwritten;
        snapshot.LatenessP99 = _lateness.Interval.ValueAtPercentile(99);
        snapshot.SentInterval = LatencyFigures.Of(reader.FromSent.Parts[1].Interval);
        snapshot.SentRun = LatencyFigures.Of(reader.FromSent.Middle);
        snapshot.IntendedInterval = LatencyFigures.Of(reader.FromIntended.Parts[1].Interval);
        snapshot.IntendedRun = LatencyFigures.Of(reader.FromIntended.Middle);
        _sentBefore = sent;
    }
}
