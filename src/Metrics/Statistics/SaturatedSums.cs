namespace RedisLatency.Metrics.Statistics;

/// <summary>Sums of numbers that came from outside: they end at the ends of their range, and nothing throws.</summary>
public static class SaturatedSums
{
    /// <summary>The sum, or the end of the range that it goes beyond.</summary>
    public static long SaturatedSum<T>(this IEnumerable<T> items, Func<T, long> number)
    {
        var sum = (Int128)0;
        foreach (var item in items)
            sum += number(item);
        return (long)Int128.Clamp(sum, long.MinValue, long.MaxValue);
    }
}
