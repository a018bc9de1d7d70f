namespace RedisLatency.Reports.Values;

internal sealed class Bounds<T>(T least, T most, Func<T, string> show)
    where T : struct, IComparable<T>
{
    public string? Problem(T value) =>
        value.CompareTo(least) < 0 ? $"at least {show(least)}"
        : value.CompareTo(most) > 0 ? $"at most {show(most)}"
        : null;

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
