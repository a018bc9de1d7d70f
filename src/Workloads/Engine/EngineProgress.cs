namespace RedisLatency.Workloads.Engine;

/// <summary>How far an engine has come, over all operations; taken every second, so nothing is allocated.</summary>
internal readonly record struct EngineProgress(long MeasuredFrom, OperationCounts Counts, LoadCounts Load)
{
    /// <summary>What was to be sent so far.</summary>
    public long Asked => Counts.Sent + Load.Unsent;

    /// <summary>What was done since, from a time on.</summary>
    public EngineProgress Since(in EngineProgress before, long fromNs) =>
        new(fromNs, Counts.Since(before.Counts), Load.Since(before.Load));

    public long InFlight => Math.Max(0, Counts.InFlight);
}
