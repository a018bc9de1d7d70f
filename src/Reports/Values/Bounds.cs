namespace RedisLatency.Reports.Values;

/// <summary>The inclusive range that a value must lie in.</summary>
internal readonly struct Bounds<T>(T least, T most, Func<T, string> show)
    where T : struct, IComparable<T>
{
    public ValueReading<T> Check(ValueReading<T> reading)
    {
        if (reading.Problem is not null)
        {
            return reading;
        }

        if (reading.Value.CompareTo(least) < 0)
        {
            return ValueReading.Wrong<T>($"at least {show(least)}");
        }

        return reading.Value.CompareTo(most) > 0 ? ValueReading.Wrong<T>($"at most {show(most)}") : reading;
    }

    /// <summary>The range in words; ends that are natural to the type go unmentioned.</summary>
    public string? Describe(T naturalLeast, T naturalMost) =>
        (least.CompareTo(naturalLeast) > 0, most.CompareTo(naturalMost) < 0) switch
        {
            (true, true) => $"{show(least)} to {show(most)}",
            (true, false) => $"at least {show(least)}",
            (false, true) => $"at most {show(most)}",
            _ => null,
        };
}
