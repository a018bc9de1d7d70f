namespace RedisLatency.Reports.Values;

/// <summary>What became of a text that a user gave for an option: a value, or what is wrong with it.</summary>
/// <param name="Value">The value; meaningful only where <paramref name="Problem"/> is null.</param>
/// <param name="Problem">What would be right, as the end of a sentence such as <c>--rate 1e9: at most 10</c>.</param>
public readonly record struct ValueReading<T>(T? Value, string? Problem)
{
    /// <summary>What is made of the value, or the same problem.</summary>
    internal ValueReading<TTo> Then<TTo>(Func<T, ValueReading<TTo>> next) =>
        Problem is null ? next(Value!) : ValueReading.Wrong<TTo>(Problem);
}

public static class ValueReading
{
    public static ValueReading<T> Of<T>(T value) => new(value, null);

    public static ValueReading<T> Wrong<T>(string problem) => new(default, problem);
}
