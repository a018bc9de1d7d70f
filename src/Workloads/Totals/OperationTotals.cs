namespace RedisLatency.Workloads.Totals;

/// <summary>
/// What became of one operation of the mix, over all workers. Each that was sent ends exactly once: sent = completed +
/// errors + timed out + lost + in flight.
/// </summary>
internal sealed record OperationTotals
{
    /// <summary>The operation's name.</summary>
    public required string Name { get; init; }

    /// <summary>How many were sent; one that is sent again counts once.</summary>
    public long Sent { get; init; }

    /// <summary>How many have a reply that is no error.</summary>
    public long Completed { get; init; }

    /// <summary>Of a read: values that were there.</summary>
    public long Hits { get; init; }

    /// <summary>Of a read: values that were not.</summary>
    public long Misses { get; init; }

    /// <summary>How many ended with an error.</summary>
    public long Errors { get; init; }

    /// <summary>How many had no reply in time.</summary>
    public long TimedOut { get; init; }

    /// <summary>How many were in flight on a connection that ended; the server may have executed them.</summary>
    public long Lost { get; init; }

    /// <summary>How often one was sent again after an error.</summary>
    public long Retried { get; init; }

    /// <summary>How many values were read that this workload has not written.</summary>
    public long Mismatched { get; init; }

    /// <summary>How often one was sent again because the server named another node.</summary>
    public long Redirected { get; init; }

    /// <summary>Errors by their first word, those that were retried or followed to another node too.</summary>
    public IReadOnlyDictionary<string, long> ErrorReplies { get; init; } = new Dictionary<string, long>();

    /// <summary>How many wait for their reply.</summary>
    public long InFlight => Sent - Completed - Errors - TimedOut - Lost;
}
