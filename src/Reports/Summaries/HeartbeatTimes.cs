using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>How often heartbeats came, and for how long.</summary>
internal static class HeartbeatTimes
{
    public static string Of(RunSummary summary, HeartbeatFacts heartbeat) =>
        $"every {Quantity.Duration(heartbeat.IntervalNs)} for {Quantity.Duration(summary.DurationNs ?? 0)}, "
        + $"{Quantity.Count(heartbeat.Windows)} windows of {Quantity.Duration(heartbeat.WindowNs)}; alerts "
        + Quantity.Count(heartbeat.Alerts);
}
