using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Workloads.Engine.Totals;

namespace RedisLatency.Workloads.Measuring.Phases;

/// <summary>
/// Once a second, on a thread of its own: takes what was recorded, writes it to the interval log and shows it.
/// </summary>
internal sealed class PhaseReporter : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly PhaseSession _session;
    private readonly IntervalLogFile? _log;
    private readonly InstrumentWatch _instrument;
    private readonly ILiveView _view;
    private readonly ILogger _logger;
    private readonly WallClockMapping _wallClock = WallClockMapping.Sample();
    private readonly string[] _serviceTags;
    private readonly string[] _responseTags;
    private readonly string _latenessTag;
    private readonly string _hiccupTag;
    private readonly ReporterThread _thread;
    private LiveSnapshot _snapshot;
    private long _sentBefore;
    private long _lostBefore;
    private TimeSpan _cpuBefore = Environment.CpuUsage.TotalTime;

    public PhaseReporter(
        PhaseSession session, IntervalLogFile? log, InstrumentWatch instrument, ILiveView view, ILogger logger)
    {
        (_session, _log, _instrument, _view, _logger) = (session, log, instrument, view, logger);
        var names = session.Series!.Operations;
        _serviceTags = [.. names.Select(name => TagOf(SeriesNames.Of(name, SeriesNames.Service)))];
        _responseTags = [.. names.Select(name => TagOf(SeriesNames.Of(name, SeriesNames.Response)))];
        _latenessTag = TagOf(SeriesNames.Lateness);
        _hiccupTag = TagOf(SeriesNames.Hiccups);
        _thread = new ReporterThread(Second, Take);
    }

    /// <summary>Takes the rest, after the last reply was accounted for.</summary>
    public void Stop()
    {
        _thread.Stop();
        var last = _thread.LastTimestamp == 0 ? _thread.StartTimestamp : _thread.LastTimestamp;
        Take(new ReportInterval(last, MonotonicClock.ToTimestamp(MonotonicClock.NowNs())));
    }

    /// <inheritdoc/>
    public void Dispose() => _thread.Dispose();

    private string TagOf(string series) => _session.Tag.Length == 0 ? series : $"{_session.Tag}.{series}";

    private void Take(ReportInterval interval)
    {
        _instrument.TakeInterval();
        _session.TakeInterval();
        Write(interval);
        if (interval.Duration > Second / 2)
            Show(interval);
    }

    private void Write(ReportInterval interval)
    {
        if (_log is null)
            return;
        var start = _wallClock.ToUtc(MonotonicClock.FromTimestamp(interval.FromTimestamp));
        var series = _session.Series!;
        for (var i = 0; i < _serviceTags.Length; i++)
        {
            _log.Write(_serviceTags[i], start, interval.Duration, series.Interval.Service[i]);
            if (series.IsOpenLoop)
                _log.Write(_responseTags[i], start, interval.Duration, series.Interval.Response[i]);
        }

        if (series.IsOpenLoop)
            _log.Write(_latenessTag, start, interval.Duration, series.Interval.Lateness);
        _log.Write(_hiccupTag, start, interval.Duration, _instrument.HiccupsInterval);
    }

    private void Show(ReportInterval interval)
    {
        var totals = _session.TotalsNow();
        var phase = _session.Phase;
        var series = _session.Series!;
        var now = MonotonicClock.FromTimestamp(interval.ToTimestamp);
        var measured = TimeSpan.FromTicks((now - totals.MeasuredFrom) / 100);
        var isMeasuring = measured > TimeSpan.Zero;
        _snapshot.Phase = isMeasuring ? Hosting.Running.RunPhase.Measure : Hosting.Running.RunPhase.WarmUp;
        _snapshot.Elapsed = isMeasuring ? measured : TimeSpan.FromTicks(Math.Max(0, now - _session.Started) / 100);
        _snapshot.Planned = isMeasuring ? phase.Duration : phase.WarmUp;
        _snapshot.Progress = isMeasuring ? ProgressOf(totals, measured) : _snapshot.Elapsed / phase.WarmUp;
        _snapshot.TargetRate = phase.IsOpenLoop ? RateSteps.At(phase.Options.Rate, measured + phase.WarmUp) : null;
        _snapshot.AchievedRate = (totals.Sent - _sentBefore) / interval.Duration.TotalSeconds;
        _snapshot.InFlight = InFlight(totals);
        _snapshot.Sent = totals.Sent;
        _snapshot.Returned = totals.Completed;
        _snapshot.Unsent = totals.Unsent;
        _snapshot.Lost = Lost(totals);
        _snapshot.Errors = Errors(totals);
        _snapshot.CpuShare = TakeCpuTime() / interval.Duration;
        _snapshot.HiccupMax = _instrument.Hiccups.Max;
        _snapshot.Collections = (int)_instrument.GcPauses.Collections;
        _snapshot.CollectionPause = TimeSpan.FromTicks(_instrument.GcPauses.TotalPauseNs / 100);
        _snapshot.SentInterval = LatencyFigures.Of(series.IntervalService);
        _snapshot.SentRun = LatencyFigures.Of(series.Service);
        if (series.IsOpenLoop)
        {
            _snapshot.IntendedInterval = LatencyFigures.Of(series.IntervalResponse);
            _snapshot.IntendedRun = LatencyFigures.Of(series.Response);
            _snapshot.LatenessP99 = series.Interval.Lateness.ValueAtPercentile(99);
        }

        if (totals.ConnectionsLost > _lostBefore)
            WorkloadsLog.ConnectionsLost(_logger, totals.ConnectionsLost - _lostBefore, _session.Target.Name);
        (_sentBefore, _lostBefore) = (totals.Sent, totals.ConnectionsLost);
        _view.Show(_snapshot);
    }

    private TimeSpan TakeCpuTime()
    {
        var now = Environment.CpuUsage.TotalTime;
        var used = now - _cpuBefore;
        _cpuBefore = now;
        return used;
    }

    private static long InFlight(EngineTotals totals) =>
        Math.Max(0, totals.Operations.Sum(operation => operation.InFlight));

    private static long Lost(EngineTotals totals) =>
        totals.Operations.Sum(operation => operation.Lost + operation.TimedOut);

    private static long Errors(EngineTotals totals) =>
        totals.Operations.Sum(operation => operation.Errors + operation.Mismatched);

    // Whichever limit is nearer.
    private double? ProgressOf(EngineTotals totals, TimeSpan measured)
    {
        var byCount = _session.Phase.Operations is { } operations ? (double)totals.Sent / operations : (double?)null;
        var byTime = _session.Phase.Duration is { } duration ? measured / duration : (double?)null;
        return byCount is null && byTime is null ? null : Math.Min(1, Math.Max(byCount ?? 0, byTime ?? 0));
    }
}
