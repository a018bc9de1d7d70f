using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Results.Records.Replication;
using RedisLatency.Metrics.Results.Records.Summaries;

namespace RedisLatency.Hosting.Summaries.Replication;

/// <summary>How often heartbeats came, and for how long.</summary>
internal static class HeartbeatTimes
{
    /// <summary>In a line.</summary>
    public static string Of(RunSummary summary, HeartbeatFacts heartbeat) =>
        $"every {Quantity.Duration(heartbeat.IntervalNs)} for {Quantity.Duration(summary.DurationNs ?? 0)}, "
        + $"{Quantity.Count(heartbeat.Windows)} windows of {Quantity.Duration(heartbeat.WindowNs)}; alerts "
        + Quantity.Count(heartbeat.Alerts);
}
