using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Live.Intervals;
using RedisLatency.Hosting.Running;
using RedisLatency.Workloads.Engine.Totals;

namespace RedisLatency.Workloads.Measuring.Phases;

/// <summary>What the live view and the interval log have of a phase.</summary>
internal sealed class PhaseIntervals : IIntervalSource
{
    private readonly PhaseSession _session;
    private readonly ILogger _logger;
    private readonly string[] _serviceTags;
    private readonly string[] _responseTags;
    private readonly string _latenessTag;
    private long _sentBefore;
    private long _lostBefore;

    public PhaseIntervals(PhaseSession session, ILogger logger)
    {
        (_session, _logger) = (session, logger);
        var names = session.Series!.Operations;
        _serviceTags = [.. names.Select(name => session.TagOf(SeriesNames.Of(name, SeriesNames.Service)))];
        _responseTags = [.. names.Select(name => session.TagOf(SeriesNames.Of(name, SeriesNames.Response)))];
        _latenessTag = session.TagOf(SeriesNames.Lateness);
    }

    /// <inheritdoc/>
    public void Take(in TakenInterval interval)
    {
        _session.TakeInterval();
        var series = _session.Series!;
        for (var i = 0; i < _serviceTags.Length; i++)
        {
            interval.Write(_serviceTags[i], series.Interval.Service[i]);
            if (series.IsOpenLoop)
                interval.Write(_responseTags[i], series.Interval.Response[i]);
        }

        if (series.IsOpenLoop)
            interval.Write(_latenessTag, series.Interval.Lateness);
    }

    /// <inheritdoc/>
    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        var totals = _session.TotalsNow();
        var phase = _session.Phase;
        var series = _session.Series!;
        var measured = TimeSpan.FromTicks((interval.EndNs - totals.MeasuredFrom) / 100);
        var isMeasuring = measured > TimeSpan.Zero;
        var started = TimeSpan.FromTicks(Math.Max(0, interval.EndNs - _session.Started) / 100);
        snapshot.Phase = isMeasuring ? RunPhase.Measure : RunPhase.WarmUp;
        snapshot.Elapsed = isMeasuring ? measured : started;
        snapshot.Planned = isMeasuring ? phase.Duration : phase.WarmUp;
        snapshot.Progress = isMeasuring ? ProgressOf(totals, measured) : started / phase.WarmUp;
        snapshot.TargetRate = phase.IsOpenLoop ? RateSteps.At(phase.Options.Rate, started) : null;

        // What is sent to warm up is not counted.
        snapshot.AchievedRate = isMeasuring
            ? (totals.Sent - _sentBefore) / interval.Duration.TotalSeconds
            : double.NaN;
        snapshot.InFlight = totals.Operations.Sum(operation => Math.Max(0, operation.InFlight));
        snapshot.Sent = totals.Sent;
        snapshot.Returned = totals.Completed;
        snapshot.Unsent = totals.Unsent;
        snapshot.Lost = totals.Operations.Sum(operation => operation.Lost + operation.TimedOut);
        snapshot.Errors = totals.Operations.Sum(operation => operation.Errors + operation.Mismatched);
        snapshot.SentInterval = LatencyFigures.Of(series.IntervalService);
        snapshot.SentRun = LatencyFigures.Of(series.Service);
        if (series.IsOpenLoop)
        {
            snapshot.IntendedInterval = LatencyFigures.Of(series.IntervalResponse);
            snapshot.IntendedRun = LatencyFigures.Of(series.Response);
            snapshot.LatenessP99 = series.Interval.Lateness.ValueAtPercentile(99);
        }

        if (totals.ConnectionsLost > _lostBefore)
            WorkloadsLog.ConnectionsLost(_logger, totals.ConnectionsLost - _lostBefore, _session.Target.Name);
        (_sentBefore, _lostBefore) = (totals.Sent, totals.ConnectionsLost);
    }

    // Whichever limit is nearer.
    private double? ProgressOf(EngineTotals totals, TimeSpan measured)
    {
        var byCount = _session.Phase.Operations is { } operations ? (double)totals.Sent / operations : (double?)null;
        var byTime = _session.Phase.Duration is { } duration ? measured / duration : (double?)null;
        return byCount is null && byTime is null ? null : Math.Min(1, Math.Max(byCount ?? 0, byTime ?? 0));
    }
}
