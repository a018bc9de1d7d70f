namespace RedisLatency.Workloads.Totals;

// Only the worker writes. Workers share no line of the cache, without padding here: a worker's rows lie in an array of
// its own, behind objects of its own, and end with those of the warm-up, which nobody writes while another measures.
// The random source and the recorders, whose neighbours are not known, have lines of their own.
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

    public void Add(in OperationCounts other)
    {
        Sent += other.Sent;
        Completed += other.Completed;
        Hits += other.Hits;
        Misses += other.Misses;
        Errors += other.Errors;
        TimedOut += other.TimedOut;
        Lost += other.Lost;
        Retried += other.Retried;
        Mismatched += other.Mismatched;
        Redirected += other.Redirected;
    }
}
