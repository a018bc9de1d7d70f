using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Workloads.Phases;

internal sealed class PhaseProgress(PhaseSession session, ILogger logger)
{
    private long _connectionsLostBefore;

    /// <summary>Tells the live view, and says where connections were lost. Allocates nothing else.</summary>
    public void Tell(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        var progress = session.Progress();
        var phase = session.Phase;
        var measured = TimeSpan.FromNanoseconds(interval.EndNs - progress.MeasuredFrom);
        var isMeasuring = measured > TimeSpan.Zero;
        var started = TimeSpan.FromNanoseconds(Math.Max(0, interval.EndNs - session.Started));
        snapshot.Phase = isMeasuring ? RunPhase.Measure : RunPhase.WarmUp;
        snapshot.Elapsed = isMeasuring ? measured : started;
        snapshot.Planned = isMeasuring ? phase.Duration : phase.WarmUp;
        snapshot.Progress = isMeasuring ? ProgressOf(progress.Counts.Sent, measured) : started / phase.WarmUp;
        snapshot.TargetRate = phase.IsOpenLoop ? RateSteps.At(phase.Options.Rate, measured) : null;

        // What is sent to warm up is not counted.
        if (!isMeasuring)
            snapshot.AchievedRate = double.NaN;
        if (progress.ConnectionsLost > _connectionsLostBefore)
        {
            WorkloadsLog.ConnectionsLost(
                logger, progress.ConnectionsLost - _connectionsLostBefore, session.Target.Name);
        }

        _connectionsLostBefore = progress.ConnectionsLost;
    }

    // Whichever limit is nearer.
    private double? ProgressOf(long sent, TimeSpan measured)
    {
        var byCount = session.Phase.Operations is { } operations ? (double)sent / operations : (double?)null;
        var byTime = session.Phase.Duration is { } duration ? measured / duration : (double?)null;
        return byCount is null && byTime is null ? null : Math.Min(1, Math.Max(byCount ?? 0, byTime ?? 0));
    }
}
