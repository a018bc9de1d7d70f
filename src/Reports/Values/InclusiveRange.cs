namespace RedisLatency.Reports.Values;

/// <summary>Values from <paramref name="Least"/> to <paramref name="Most"/>, both included.</summary>
public readonly record struct InclusiveRange<T>(T Least, T Most)
    where T : struct, IComparable<T>
{
    /// <summary>A range that holds one value.</summary>
    public InclusiveRange(T only)
        : this(only, only)
    {
    }

    /// <summary>Whether the range holds only one value.</summary>
    public bool IsSingle => Least.CompareTo(Most) == 0;
}
