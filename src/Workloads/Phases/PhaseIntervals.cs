using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Workloads.Phases;

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
    public void TakeBlock(TimeSpan duration) => _session.TakeBlock(duration);

    /// <inheritdoc/>
    public void Take(in TakenInterval interval)
    {
        var series = _session.Series!;
        series.EndInterval();
        for (var i = 0; i < _serviceTags.Length; i++)
        {
            interval.Write(_serviceTags[i], series.IntervalServiceOf(i));
            if (series.IsOpenLoop)
                interval.Write(_responseTags[i], series.IntervalResponseOf(i));
        }

        if (series.IsOpenLoop)
            interval.Write(_latenessTag, series.IntervalLateness);
    }

    /// <inheritdoc/>
    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        var progress = _session.Progress();
        var phase = _session.Phase;
        var series = _session.Series!;
        var measured = TimeSpan.FromTicks((interval.EndNs - progress.MeasuredFrom) / 100);
        var isMeasuring = measured > TimeSpan.Zero;
        var started = TimeSpan.FromTicks(Math.Max(0, interval.EndNs - _session.Started) / 100);
        snapshot.Phase = isMeasuring ? RunPhase.Measure : RunPhase.WarmUp;
        snapshot.Elapsed = isMeasuring ? measured : started;
        snapshot.Planned = isMeasuring ? phase.Duration : phase.WarmUp;
        snapshot.Progress = isMeasuring ? ProgressOf(progress.Sent, measured) : started / phase.WarmUp;
        snapshot.TargetRate = phase.IsOpenLoop ? RateSteps.At(phase.Options.Rate, started) : null;

        // What is sent to warm up is not counted.
        snapshot.AchievedRate = isMeasuring
            ? (progress.Sent - _sentBefore) / interval.Duration.TotalSeconds
            : double.NaN;
        snapshot.InFlight = progress.InFlight;
        snapshot.Sent = progress.Sent;
        snapshot.Returned = progress.Completed;
        snapshot.Unsent = progress.Unsent;
        snapshot.Lost = progress.Missing;
        snapshot.Errors = progress.Wrong;
        snapshot.SentInterval = LatencyFigures.Of(series.IntervalService);
        snapshot.SentRun = LatencyFigures.Of(series.Service);
        if (series.IsOpenLoop)
        {
            snapshot.IntendedInterval = LatencyFigures.Of(series.IntervalResponse);
            snapshot.IntendedRun = LatencyFigures.Of(series.Response);
            snapshot.LatenessP99 = series.IntervalLateness.ValueAtPercentile(99);
        }

        if (progress.ConnectionsLost > _lostBefore)
            WorkloadsLog.ConnectionsLost(_logger, progress.ConnectionsLost - _lostBefore, _session.Target.Name);
        (_sentBefore, _lostBefore) = (progress.Sent, progress.ConnectionsLost);
    }

    // Whichever limit is nearer.
    private double? ProgressOf(long sent, TimeSpan measured)
    {
        var byCount = _session.Phase.Operations is { } operations ? (double)sent / operations : (double?)null;
        var byTime = _session.Phase.Duration is { } duration ? measured / duration : (double?)null;
        return byCount is null && byTime is null ? null : Math.Min(1, Math.Max(byCount ?? 0, byTime ?? 0));
    }
}
