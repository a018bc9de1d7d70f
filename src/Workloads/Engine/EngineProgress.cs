namespace RedisLatency.Workloads.Engine;

/// <summary>How far an engine has come, over all operations; taken every second, so nothing is allocated.</summary>
internal readonly record struct EngineProgress(
    long MeasuredFrom, OperationCounts Counts, long Unsent, long ConnectionsLost)
{
    /// <summary>What was to be sent so far.</summary>
    public long Asked => Counts.Sent + Unsent;

    public long InFlight => Math.Max(0, Counts.InFlight);
}
