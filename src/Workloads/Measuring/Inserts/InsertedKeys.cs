using System.Runtime.InteropServices;

namespace RedisLatency.Workloads.Measuring.Inserts;

/// <summary>
/// The keys that workers add: worker w of W takes every W-th, so that none is taken twice and nobody waits. Which of
/// them may be read is told by the last one up to which all are acknowledged, as YCSB's
/// <c>AcknowledgedCounterGenerator</c> does. Each worker writes only its own place.
/// </summary>
internal sealed class InsertedKeys
{
    private readonly long _first;
    private readonly Place[] _acknowledged;

    /// <summary>States where new keys begin.</summary>
    /// <param name="first">The number of the first new key.</param>
    /// <param name="workers">How many workers add keys.</param>
    public InsertedKeys(long first, int workers)
    {
        _first = first;
        _acknowledged = new Place[workers];
    }

    /// <summary>How many workers there are.</summary>
    public int Workers => _acknowledged.Length;

    /// <summary>The last key up to which every one is acknowledged.</summary>
    public long LastAcknowledged
    {
        get
        {
            var least = long.MaxValue;
            for (var worker = 0; worker < _acknowledged.Length; worker++)
                least = Math.Min(least, KeyOf(worker, Volatile.Read(ref _acknowledged[worker].Count)));
            return least - 1;
        }
    }

    /// <summary>The key of a worker's n-th insert, from 0.</summary>
    public long KeyOf(int worker, long number) => _first + worker + (number * _acknowledged.Length);

    /// <summary>Which of a worker's inserts a key is, from 0.</summary>
    public long NumberOf(long key) => (key - _first) / _acknowledged.Length;

    /// <summary>Tells how many of a worker's inserts are acknowledged without a gap.</summary>
    public void Acknowledge(int worker, long count) => Volatile.Write(ref _acknowledged[worker].Count, count);

    // On cache lines of its own, and away from its neighbours'.
    [StructLayout(LayoutKind.Explicit, Size = 128)]
    private struct Place
    {
        [FieldOffset(64)]
        public long Count;
    }
}
