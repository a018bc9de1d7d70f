using System.Runtime.InteropServices;

namespace RedisLatency.Workloads.Engine.Totals;

/// <summary>
/// What one worker counts of one operation. Only the worker writes; the padding keeps its line apart from what other
/// workers write.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
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
