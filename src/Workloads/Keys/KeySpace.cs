namespace RedisLatency.Workloads.Keys;

/// <summary>The keys that a workload works on, by index: <see cref="First"/> and those after it.</summary>
internal sealed record KeySpace
{
    /// <summary>The highest index that a key can have: far beyond any server, with room for sums of two.</summary>
    public const long HighestIndex = (1L << 62) - 1;

    /// <summary>YCSB doubles the inserts that it expects: (long)(operations × insert share × 2).</summary>
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

    public long First { get; }

    public long Count { get; }

    public long ExpectedInserts { get; }

    public long Last => First + Count - 1;
}
