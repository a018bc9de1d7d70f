using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Hosting.Options;
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

/// <summary><c>SET __key__ __data__=3</c>: a number behind the last equals sign is the weight.</summary>
internal static partial class CommandSyntax
{
    public static ValueSyntax<WeightedCommand> Create() => new("'COMMAND'=WEIGHT", Read, Write);

    /// <summary>The command without the user and password of AUTH, or of HELLO with AUTH.</summary>
    public static string Mask(string text) => Login().Replace(text, $"${{name}} {OptionMask.Hidden}");

    [GeneratedRegex(@"(?<name>^\s*AUTH|^\s*HELLO\b.*?\sAUTH)\s.*?(?==[0-9.]+$|$)", RegexOptions.IgnoreCase)]
    private static partial Regex Login();

    private static ValueReading<WeightedCommand> Read(string text)
    {
        var equals = text.LastIndexOf('=');
        var hasWeight = equals > 0 && double.TryParse(
            text.AsSpan(equals + 1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out _);
        var weight = hasWeight ? MixSyntax.ReadWeight(text[(equals + 1)..]) : ValueReading.Of(1.0);
        var command = hasWeight ? text[..equals] : text;
        if (weight.Problem is { } wrongWeight)
            return ValueReading.Wrong<WeightedCommand>(wrongWeight);
        return CommandText.TryRead(command, out _, out var problem)
            ? ValueReading.Of(new WeightedCommand(command, weight.Value))
            : ValueReading.Wrong<WeightedCommand>(problem);
    }

    private static string Write(WeightedCommand command) => $"{command.Text}={MixSyntax.WriteWeight(command.Weight)}";
}
