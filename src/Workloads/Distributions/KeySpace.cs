namespace RedisLatency.Workloads.Distributions;

/// <summary>The keys that a workload works on, by index: <see cref="First"/> and those after it.</summary>
internal sealed record KeySpace
{
    /// <summary>The highest index that a key can have: far beyond any server, with room for sums of two.</summary>
    public const long HighestIndex = (1L << 62) - 1;

    /// <summary>States the keys.</summary>
    /// <param name="first">The lowest index, from 0.</param>
    /// <param name="count">How many keys there are at the start, from 1.</param>
    /// <param name="expectedInserts">
    /// How many keys the run is expected to add. YCSB doubles what it expects: (long)(operations × insert share × 2).
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">A number is negative, or an index too high.</exception>
    public KeySpace(long first, long count, long expectedInserts = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(first);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(first, HighestIndex);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, HighestIndex + 1 - first);
        ArgumentOutOfRangeException.ThrowIfNegative(expectedInserts);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(expectedInserts, HighestIndex + 1 - first - count);
        First = first;
        Count = count;
        ExpectedInserts = expectedInserts;
    }

    /// <summary>The lowest index.</summary>
    public long First { get; }

    /// <summary>How many keys there are at the start.</summary>
    public long Count { get; }

    /// <summary>How many keys the run is expected to add.</summary>
    public long ExpectedInserts { get; }

    /// <summary>The highest index at the start.</summary>
    public long Last => First + Count - 1;
}
