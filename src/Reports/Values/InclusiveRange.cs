namespace RedisLatency.Reports.Values;

/// <summary>Values from <paramref name="Least"/> to <paramref name="Most"/>, both included.</summary>
public readonly record struct InclusiveRange<T>(T Least, T Most)
    where T : struct, IComparable<T>
{
    private const string Separator = "..";

    public InclusiveRange(T only) : this(only, only)
    {
    }

    public bool IsSingle => Least.CompareTo(Most) == 0;

    internal static ValueReading<InclusiveRange<T>> Read(string text, ValueSyntax<T> element)
    {
        var at = text.IndexOf(Separator, StringComparison.Ordinal);
        var least = element.Read(at < 0 ? text : text[..at]);
        var most = at < 0 ? least : element.Read(text[(at + Separator.Length)..]);
        return least.Then(from => most.Then(to => from.CompareTo(to) > 0
            ? ValueReading.Wrong<InclusiveRange<T>>("a range goes from the smaller value to the larger one")
            : ValueReading.Of<InclusiveRange<T>>(new(from, to))));
    }

    internal string? Write(Func<T, string?> element) =>
        IsSingle ? element(Least) : element(Least) + Separator + element(Most);
}
