namespace RedisLatency.Redis.Commands;

/// <summary>Where a command says when its key or fields expire.</summary>
/// <param name="Kind">How.</param>
/// <param name="Word">The word that is the time; where it is behind an option, the first that may be one.</param>
/// <param name="UnitMs">What one is, in milliseconds; behind an option it depends on that.</param>
public readonly record struct TimeRule(TimeKind Kind, int Word, int UnitMs)
{
    internal static TimeRule Parse(string text)
    {
        if (text == "-")
            return default;
        var unit = text.Contains("ms", StringComparison.Ordinal) ? 1 : 1000;
        var word = text[text.IndexOfAny([.. "123"])] - '0';
        return new(
            text.StartsWith("options", StringComparison.Ordinal) ? TimeKind.Option
                : text.StartsWith("at", StringComparison.Ordinal) ? TimeKind.At
                : text.EndsWith("/ABSTTL", StringComparison.Ordinal) ? TimeKind.InOrAt
                : TimeKind.In,
            word, unit);
    }
}
