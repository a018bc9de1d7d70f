namespace RedisLatency.Workloads.Engine;

/// <summary>
/// What one worker counted of one operation; only the worker writes. Workers share no line of the cache, without
/// padding here: a worker's rows lie in an array of its own, behind objects of its own, and end with those of the
/// warm-up, which nobody writes while another measures. The random source and the recorders, whose neighbours are not
/// known, have lines of their own.
/// </summary>
internal struct OperationCounts
{
    public long Sent;
    public long Completed;
    public long Hits;
    public long Misses;
    public long Errors;
    public long TimedOut;
    public long Lost;
    public long Retried;
    public long Mismatched;
    public long Redirected;
    public long BytesSent;
    public long BytesReceived;

    // Of those that ended without a latency the longest that one was waited for.
    public long LongestFromSent;
    public long LongestFromIntended;

    public readonly long InFlight => Sent - Completed - Errors - TimedOut - Lost;

    /// <summary>
    /// What was counted since; the longest waits are known of the whole alone, and are of this part where they are
    /// longer.
    /// </summary>
    public readonly OperationCounts Since(in OperationCounts before) => FieldCounts.Difference(this, before) with
    {
        LongestFromSent = LongestFromSent > before.LongestFromSent ? LongestFromSent : 0,
        LongestFromIntended = LongestFromIntended > before.LongestFromIntended ? LongestFromIntended : 0,
    };

    public void Add(in OperationCounts other)
    {
        var (sent, intended) = (LongestFromSent, LongestFromIntended);
        FieldCounts.Add(ref this, other);
        LongestFromSent = Math.Max(sent, other.LongestFromSent);
        LongestFromIntended = Math.Max(intended, other.LongestFromIntended);
    }
}
