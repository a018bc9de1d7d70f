namespace RedisLatency.Reports.Values;

/// <summary>Makes readings.</summary>
public static class ValueReading
{
    /// <summary>A text that was understood.</summary>
    public static ValueReading<T> Of<T>(T value) => new(value, null);

    /// <summary>A text that was not.</summary>
    public static ValueReading<T> Wrong<T>(string problem) => new(default, problem);
}
