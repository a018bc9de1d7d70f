namespace RedisLatency.Micro.Tests;

/// <summary>Counts what a call allocates on this thread.</summary>
internal static class AllocationProbe
{
    /// <summary>Bytes of all measured calls together.</summary>
    /// <param name="call">What to look at.</param>
    /// <param name="callsBefore">Calls that do not count: static constructors, buffers that grow once.</param>
    /// <param name="callsMeasured">Calls that count.</param>
    public static long BytesAllocated(Action call, int callsBefore, int callsMeasured)
    {
        for (var i = 0; i < callsBefore; i++)
            call();
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < callsMeasured; i++)
            call();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
