using RedisLatency.Hosting.Instrument;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Figures;

internal sealed class HeartbeatView(
    ILiveView view, RunContext context, HeartbeatPlan plan, BeatSchedule schedule, int ways, bool isReadHere,
    InstrumentWatch instrument)
{
    private TimeSpan _cpuBefore = Environment.CpuUsage.TotalTime;
    private long _sentBefore;
    private LiveSnapshot _snapshot;

    public void Show(BeatCounts counts, HeartbeatSeries series, AlertBoard alerts, TimeSpan since)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        var elapsed = MonotonicClock.NowNs() - schedule.StartNs;
        _snapshot.Phase = context.Phase;
        _snapshot.Elapsed = TimeSpan.FromTicks(Math.Max(0, elapsed) / TimeSpan.NanosecondsPerTick);
        _snapshot.Planned = plan.Options.Duration;
        _snapshot.Progress = plan.Options.Duration is { } whole ? Math.Min(1, _snapshot.Elapsed / whole) : null;
        _snapshot.TargetRate = ways / plan.Options.Interval.TotalSeconds;
        _snapshot.AchievedRate = (counts.Sent - _sentBefore) / since.TotalSeconds;
        _snapshot.InFlight = isReadHere ? counts.Waiting : 0;
        _snapshot.Sent = counts.Sent;
        _snapshot.Unsent = counts.Unsent;
        _snapshot.Returned = counts.Seen;
        _snapshot.Lost = counts.Skipped;
        _snapshot.Errors = counts.Refused + counts.Foreign;
        _snapshot.Age = isReadHere ? TimeSpan.FromTicks(counts.AgeNs / TimeSpan.NanosecondsPerTick) : null;
        _snapshot.Alerts = alerts.Active.Count();
        _snapshot.LatenessP99 = series.Lateness.Interval.ValueAtPercentile(99);
        _snapshot.SentInterval = LatencyFigures.Of(series.Main.Interval);
        _snapshot.SentRun = LatencyFigures.Of(series.Main.Total);
        if (isReadHere)
        {
            _snapshot.IntendedInterval = LatencyFigures.Of(series.IntendedMiddle.Interval);
            _snapshot.IntendedRun = LatencyFigures.Of(series.IntendedMiddle.Total);
        }

        _snapshot.HiccupMax = instrument.Hiccups.Max;
        _snapshot.Collections = (int)instrument.GcPauses.Collections;
        _snapshot.CollectionPause = TimeSpan.FromTicks(instrument.GcPauses.TotalPauseNs / TimeSpan.NanosecondsPerTick);
        _snapshot.CpuShare = (cpu - _cpuBefore) / since;
        (_cpuBefore, _sentBefore) = (cpu, counts.Sent);
        view.Show(_snapshot);
    }
}
