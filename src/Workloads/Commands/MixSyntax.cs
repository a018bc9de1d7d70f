using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Commands;

/// <summary>Reads <c>get=1,set=1</c>; a name alone weighs 1.</summary>
internal static class MixSyntax
{
    private const double MostWeight = 1_000_000;

    public static ValueSyntax<IReadOnlyList<MixPart>> Create() => new("NAME=WEIGHT,…", Read, Write);

    public static ValueReading<double> ReadWeight(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var weight)
        && weight <= MostWeight
            ? ValueReading.Of(weight)
            : ValueReading.Wrong<double>($"{text}: a weight is a number from 0 to 1,000,000");

    public static string WriteWeight(double weight) => weight.ToString("0.######", CultureInfo.InvariantCulture);

    private static ValueReading<IReadOnlyList<MixPart>> Read(string text)
    {
        var parts = new List<MixPart>();
        foreach (var part in text.Split(',', StringSplitOptions.TrimEntries))
        {
            var equals = part.IndexOf('=', StringComparison.Ordinal);
            var name = equals < 0 ? part : part[..equals];
            var weight = equals < 0 ? ValueReading.Of(1.0) : ReadWeight(part[(equals + 1)..]);
            if (name.Length == 0)
                return Wrong("operations with weights are needed, for instance get=1,set=1");
            if (!BuiltInCommand.TryParse(name, out _, out var problem))
                return Wrong(problem);
            if (weight.Problem is { } wrongWeight)
                return Wrong(wrongWeight);
            if (parts.Exists(known => known.Operation == name))
                return Wrong($"{name} is there twice");
            parts.Add(new MixPart(name, weight.Value));
        }

        return parts.Exists(part => part.Weight > 0)
            ? ValueReading.Of<IReadOnlyList<MixPart>>(parts)
            : Wrong("one weight must be above 0");
    }

    private static string? Write(IReadOnlyList<MixPart> parts) => parts.Count == 0
        ? null
        : string.Join(',', parts.Select(part => $"{part.Operation}={WriteWeight(part.Weight)}"));

    private static ValueReading<IReadOnlyList<MixPart>> Wrong(string problem) =>
        ValueReading.Wrong<IReadOnlyList<MixPart>>(problem);
}
