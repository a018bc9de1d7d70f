namespace RedisLatency.Workloads.Engine;

/// <summary>What is counted of a load as a whole, and of none of its operations; only the worker writes.</summary>
internal struct LoadCounts
{
    /// <summary>Due by the schedule while there was no connection, or no room in flight until its end.</summary>
    public long Unsent;

    /// <summary>How often an operation was due while no connection had room.</summary>
    public long HeldBack;

    public long ConnectionsLost;
    public long Reconnected;

    /// <summary>Connections closed and opened again on purpose.</summary>
    public long Renewed;

    /// <summary>Reads that were for replicas and went to a primary, because none was up.</summary>
    public long ReadsOfPrimary;

    /// <summary>Times that a server said what was no reply to anything: those before may have been another's.</summary>
    public long Contradictions;

    /// <summary>Operations of the warm-up that were completed while it was measured.</summary>
    public long WarmUpCompleted;

    /// <summary>Operations of the warm-up that ended by an error reply then.</summary>
    public long WarmUpErrors;

    /// <summary>Answers to the warm-up while it was measured.</summary>
    public readonly long WarmUpAnswers => WarmUpCompleted + WarmUpErrors;

    public readonly LoadCounts Since(in LoadCounts before) => FieldCounts.Difference(this, before);

    public void Add(in LoadCounts other) => FieldCounts.Add(ref this, other);
}
