namespace RedisLatency.Workloads.Totals;

/// <summary>How far an engine has come, over all operations; taken every second, so nothing is allocated.</summary>
/// <param name="MeasuredFrom">When the first measured operation could be sent, by the monotonic clock.</param>
/// <param name="Counts">What became of all operations together.</param>
/// <param name="Unsent">Due, but not sent before the end.</param>
/// <param name="ConnectionsLost">Connections lost, or given up after a time-out.</param>
internal readonly record struct EngineProgress(
    long MeasuredFrom, OperationCounts Counts, long Unsent, long ConnectionsLost)
{
    /// <summary>What was to be sent so far.</summary>
    public long Asked => Counts.Sent + Unsent;

    /// <summary>Operations that wait for their reply.</summary>
    public long InFlight =>
        Math.Max(0, Counts.Sent - Counts.Completed - Counts.Errors - Counts.TimedOut - Counts.Lost);
}
