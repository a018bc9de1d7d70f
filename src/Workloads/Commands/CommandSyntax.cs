using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Commands;

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

    private static string Write(WeightedCommand command) =>
        $"{command.Text}={MixSyntax.WriteWeight(command.Weight)}";
}

internal sealed record WeightedCommand(string Text, double Weight);
