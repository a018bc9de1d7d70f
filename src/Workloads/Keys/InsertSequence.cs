namespace RedisLatency.Workloads.Keys;

// Hands out indexes to insert and learns which were acknowledged: nobody may ask for a key that is not there yet.
// Shared by all workers; no call waits or allocates. Source: YCSB 0.18,
// site.ycsb.generator.AcknowledgedCounterGenerator, with an answer instead of an exception where it overflows.
internal sealed class InsertSequence
{
    /// <summary>How far the indexes handed out may be ahead of the lowest one not acknowledged.</summary>
    public const int Window = 1 << 20;

    private readonly long[] _acknowledged = new long[Window];
    private IsolatedIndex _handedOut;
    private IsolatedIndex _last;

    public InsertSequence(KeySpace space, long? first = null)
    {
        _handedOut.Value = first - 1 ?? space.Last;
        _last.Value = _handedOut.Value;
        Array.Fill(_acknowledged, -1);
    }

    /// <summary>Every key up to and including this index is there.</summary>
    public long LastAcknowledged => Volatile.Read(ref _last.Value);

    /// <summary>False where the oldest insert not acknowledged is a whole window behind, or indexes end.</summary>
    public bool TryTake(out long index)
    {
        while (true)
        {
            var handedOut = Volatile.Read(ref _handedOut.Value);
            index = handedOut + 1;
            if (index > KeySpace.HighestIndex || index - Volatile.Read(ref _last.Value) > Window)
                return false;
            if (Interlocked.CompareExchange(ref _handedOut.Value, index, handedOut) == handedOut)
                return true;
        }
    }

    /// <summary>Also a key that was given up: it would otherwise hold back all those after it.</summary>
    public void Acknowledge(long index)
    {
        // A full fence: of two threads that acknowledge neighbours at least one must see the other's mark.
        Interlocked.Exchange(ref _acknowledged[index & (Window - 1)], index);
        while (true)
        {
            var last = Volatile.Read(ref _last.Value);
            if (Volatile.Read(ref _acknowledged[(last + 1) & (Window - 1)]) != last + 1)
                return;
            Interlocked.CompareExchange(ref _last.Value, last + 1, last);
        }
    }
}
