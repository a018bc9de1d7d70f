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

    /// <summary>What was done since, from a time on.</summary>
    public EngineProgress Since(in EngineProgress before, long fromNs) =>
        new(fromNs, Counts.Since(before.Counts), Unsent - before.Unsent)
        {
            HeldBack = HeldBack - before.HeldBack,
            ConnectionsLost = ConnectionsLost - before.ConnectionsLost,
            Reconnected = Reconnected - before.Reconnected,
            Renewed = Renewed - before.Renewed,
            ReadsOfPrimary = ReadsOfPrimary - before.ReadsOfPrimary,
            Contradictions = Contradictions - before.Contradictions,
        };

    public long InFlight => Math.Max(0, Counts.InFlight);
}
