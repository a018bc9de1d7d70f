using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>How values of other tools are written, beside <see cref="Syntax"/>.</summary>
internal static class ForeignValues
{
    public static ValueSyntax<string> AnyText { get; } = Syntax.AnyText("TEXT");

    public static ValueSyntax<int> Number(int least, int most = int.MaxValue) => Syntax.SmallCount(least, most);

    public static ValueSyntax<long> Count() => Syntax.Count(0, long.MaxValue / 2);

    /// <summary>One of several words.</summary>
    public static ValueSyntax<string> Word(params string[] words) => Syntax.Text("WORD", text =>
        words.Contains(text) ? null : $"one of {string.Join(", ", words)} is needed");

    public static ValueSyntax<bool> Boolean() =>
        Word("true", "false").As(text => text == "true", value => value ? "true" : "false");

    public static ValueSyntax<TimeSpan> Seconds() =>
        Number(1, int.MaxValue / 1000).As(count => TimeSpan.FromSeconds(count), time => (int)time.TotalSeconds);

    /// <summary>Two numbers with a letter between them; with a dash they are ends of a range.</summary>
    public static ValueSyntax<(int, int)> Pair(char between) => new(
        $"A{between}B",
        text => text.Split(between) is [var first, var second] && TryRead(first, out var one)
            && TryRead(second, out var two) && (between == ':' || one <= two)
            ? ValueReading.Of((one, two))
            : ValueReading.Wrong<(int, int)>($"two numbers with {between} between them are needed"),
        pair => $"{pair}");

    /// <summary>A range, or one number.</summary>
    public static ValueSyntax<(int, int)> Range() => new(
        "MIN-MAX",
        text => TryRead(text, out var one) ? ValueReading.Of((one, one)) : Pair('-').Read(text),
        pair => $"{pair}");

    /// <summary>Percentiles with commas.</summary>
    public static ValueSyntax<IReadOnlyList<double>> Percentiles() => new(
        "LIST",
        text => text.Split(',').Select(one => Syntax.Number(0, 100).Read(one)).ToList() is var list
            && list.Find(one => one.Problem is not null) is { Problem: { } problem }
            ? ValueReading.Wrong<IReadOnlyList<double>>(problem)
            : ValueReading.Of<IReadOnlyList<double>>([.. list.Select(one => one.Value)]),
        _ => null);

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
