using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Producer.Measuring;

/// <summary>Tells the live view how far the measurement of a target is.</summary>
internal sealed class TargetProgress(TargetSession session, ProducerPlan plan, ILogger logger)
{
    private long _connectionsLostBefore;

    /// <summary>Tells the live view, and says where a connection was lost. Allocates nothing else.</summary>
    public void Tell(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        snapshot.Elapsed = TimeSpan.FromNanoseconds(interval.EndNs - session.MeasureStart);
        snapshot.Planned = plan.Measure.Duration;
        snapshot.Progress = ProgressOf(snapshot.Sent + snapshot.Unsent, snapshot.Elapsed);
        snapshot.TargetRate = plan.IsOpenLoop ? plan.Rate : null;
        snapshot.OneWay = session.OneWay?.Provisional;
        var connectionsLost = ProducerMetrics.Sum(session.Counted, counts => counts.ConnectionsLost);
        if (connectionsLost > _connectionsLostBefore)
            ProducerLog.ConnectionLost(logger, session.Name);
        _connectionsLostBefore = connectionsLost;
    }

    private double? ProgressOf(long asked, TimeSpan elapsed) => plan.Measure switch
    {
        { Messages: { } messages } => Math.Min(1, (double)asked / messages),
        { Duration: { } duration } => Math.Min(1, elapsed / duration),
        _ => null,
    };
}
