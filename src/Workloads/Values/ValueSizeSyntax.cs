using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

internal static class ValueSizeSyntax
{
    private const string Wanted =
        "a size (100, 1KiB), a range (64..4096), a range and a distribution (1..1000/zipfian:0.99) or sizes with "
        + "weights (32:50,1024:1) is needed";

    private static readonly ValueSyntax<long> Length = Syntax.Size(0, ValueSize.Longest);

    private static readonly ValueSyntax<double> Weight = Syntax.Number(0, 1e15);

    public static ValueReading<ValueSize> Read(string text)
    {
        if (text.Contains(':', StringComparison.Ordinal) && !text.Contains('/', StringComparison.Ordinal))
            return ReadWeighted(text);
        var slash = text.IndexOf('/', StringComparison.Ordinal);
        var distribution = slash < 0 ? ValueReading.Of(KeyDistribution.Uniform) : ReadDistribution(text[(slash + 1)..]);
        if (distribution.Value is not { } spread)
            return Wrong(distribution.Problem ?? Wanted);
        var range = slash < 0 ? text : text[..slash];
        var (from, to) = Split(range);
        var least = Length.Read(from);
        var most = Length.Read(to);
        if ((least.Problem ?? most.Problem) is { } problem)
            return Wrong(char.IsAsciiDigit(text.FirstOrDefault()) ? problem : Wanted);
        if (least.Value > most.Value)
            return Wrong("a range goes from the smaller size to the larger one");
        if (slash >= 0 && ReferenceEquals(from, to))
            return Wrong("a distribution needs a range to spread over, for instance 1..1000/zipfian");
        var size = new ValueSize(text, (int)least.Value, (int)most.Value, spread);
        return spread.Problem(new KeySpace(least.Value, most.Value - least.Value + 1)) is { } misfit
            ? Wrong(misfit)
            : ValueReading.Of(size);
    }

    private static (string From, string To) Split(string range) =>
        range.Split("..", 2) is [var least, var most] ? (least, most)
        : range.Split('-', 2) is [var from, var to] ? (from, to)
        : (range, range);

    private static ValueReading<KeyDistribution> ReadDistribution(string text)
    {
        var distribution = KeyDistribution.Read(text);
        return distribution.Value?.Name is "partitioned" or "ycsb"
            ? ValueReading.Wrong<KeyDistribution>($"{distribution.Value.Name} spreads keys, not sizes")
            : distribution;
    }

    private static ValueReading<ValueSize> ReadWeighted(string text)
    {
        var items = new List<(int, double)>();
        foreach (var item in text.Split(','))
        {
            if (item.Split(':') is not [var lengthText, var weightText])
                return Wrong($"'{item}' is not a size with its weight, for instance 32:50");
            var length = Length.Read(lengthText);
            var weight = Weight.Read(weightText);
            if (length.Problem is not null)
                return Wrong($"in '{item}': {length.Problem}");
            if (weight.Problem is not null || weight.Value <= 0)
                return Wrong($"in '{item}': a weight is a number above 0 and at most 1e15");
            items.Add(((int)length.Value, weight.Value));
        }

        return ValueReading.Of(new ValueSize(text, [.. items]));
    }

    private static ValueReading<ValueSize> Wrong(string problem) => ValueReading.Wrong<ValueSize>(problem);
}
