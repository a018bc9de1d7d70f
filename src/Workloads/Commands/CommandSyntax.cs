using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Commands;

/// <summary>Reads <c>SET __key__ __data__=3</c>: a number behind the last equals sign is the weight.</summary>
internal static partial class CommandSyntax
{
    public static ValueSyntax<WeightedCommand> Create() => new("'COMMAND'=WEIGHT", Read, Write);

    /// <summary>The command without what may be a password in it.</summary>
    public static string Mask(string text) => Password().Replace(text, $"${{name}} {OptionMask.Hidden}");

    /// <summary>Whether a password stands in a command, whose words are separated by spaces.</summary>
    public static bool HasPassword(string words) => Password().IsMatch(words);

    // The commands of Redis that log in, or say by which password others do; of a quoted name the mask knows, too.
    [GeneratedRegex(
        """
        (?<name>(?:^|;)\s*["']?(?:
            AUTH | HELLO\b.*?\sAUTH | MIGRATE\b.*?\sAUTH2?
            | ACL["']?\s+["']?SETUSER\b.*?(?=\s["']?[<>\#!])
            | (?:SENTINEL["']?\s+["']?)?CONFIG["']?\s+["']?SET\b.*?\s["']?\S*(?:auth|pass)
            | SENTINEL["']?\s+["']?SET\b.*?\s["']?\S*(?:auth|pass)
        ))["']?\s.*?(?==[0-9.]+$|$)
        """,
        RegexOptions.IgnoreCase | RegexOptions.IgnorePatternWhitespace | RegexOptions.Singleline)]
    private static partial Regex Password();

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
