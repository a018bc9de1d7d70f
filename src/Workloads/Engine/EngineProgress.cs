namespace RedisLatency.Workloads.Engine;

/// <summary>How far an engine has come, over all operations; taken every second, so nothing is allocated.</summary>
internal readonly record struct EngineProgress(long MeasuredFrom, OperationCounts Counts, long Unsent)
{
    /// <summary>How often an operation was due while no connection had room.</summary>
    public long HeldBack { get; init; }

    public long ConnectionsLost { get; init; }

    public long Reconnected { get; init; }

    public long Renewed { get; init; }

    public long ReadsOfPrimary { get; init; }

    public long Contradictions { get; init; }

    /// <summary>What was to be sent so far.</summary>
    public long Asked => Counts.Sent + Unsent;

    public long InFlight => Math.Max(0, Counts.InFlight);
}
