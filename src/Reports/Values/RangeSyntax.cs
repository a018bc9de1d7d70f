namespace RedisLatency.Reports.Values;

/// <summary>A value, or two of them with <c>..</c> between.</summary>
internal static class RangeSyntax
{
    private const string Separator = "..";

    public static ValueReading<InclusiveRange<T>> Read<T>(string text, ValueSyntax<T> element)
        where T : struct, IComparable<T>
    {
        var at = text.IndexOf(Separator, StringComparison.Ordinal);
        var least = element.Read(at < 0 ? text : text[..at]);
        var most = at < 0 ? least : element.Read(text[(at + Separator.Length)..]);
        if ((least.Problem ?? most.Problem) is { } problem)
        {
            return ValueReading.Wrong<InclusiveRange<T>>(problem);
        }

        return least.Value.CompareTo(most.Value) > 0
            ? ValueReading.Wrong<InclusiveRange<T>>("a range goes from the smaller value to the larger one")
            : ValueReading.Of<InclusiveRange<T>>(new(least.Value, most.Value));
    }

    public static string? Write<T>(InclusiveRange<T> range, ValueSyntax<T> element)
        where T : struct, IComparable<T> =>
        range.IsSingle
            ? element.Write(range.Least)
            : element.Write(range.Least) + Separator + element.Write(range.Most);

    public static string? Show<T>(InclusiveRange<T> range, ValueSyntax<T> element)
        where T : struct, IComparable<T> =>
        range.IsSingle ? element.Show(range.Least) : element.Show(range.Least) + Separator + element.Show(range.Most);
}

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
