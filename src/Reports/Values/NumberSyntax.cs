using System.Globalization;

namespace RedisLatency.Reports.Values;

/// <summary>Numbers with the suffixes k, m and g (thousand, million, thousand million).</summary>
internal static class NumberSyntax
{
    private const NumberStyles Style =
        NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;

    public static ValueReading<double> Read(string text) =>
        ReadExact(text, out var exact) ? ValueReading.Of((double)exact)
        : ReadInexact(text, out var inexact) ? ValueReading.Of(inexact)
        : ValueReading.Wrong<double>(Hint(text));

    public static ValueReading<long> ReadWhole(string text)
    {
        if (!ReadExact(text, out var exact))
        {
            return ReadInexact(text, out var inexact)
                ? ValueReading.Of<long>(inexact < 0 ? long.MinValue : long.MaxValue)
                : ValueReading.Wrong<long>(Hint(text));
        }

        return exact == decimal.Truncate(exact)
            ? ValueReading.Of((long)Math.Clamp(exact, long.MinValue, long.MaxValue))
            : ValueReading.Wrong<long>("a whole number is needed");
    }

    public static string Write(double value) => value.ToString("R", CultureInfo.InvariantCulture);

    public static string Write(long value) => value.ToString(CultureInfo.InvariantCulture);

    public static string Show(double value, string? unit)
    {
        var number = value.ToString("#,0.######", CultureInfo.InvariantCulture);
        return unit is null ? number : $"{number} {(value == 1 ? Singular(unit) : unit)}";
    }

    public static string? Limits(double least, double most, string? unit)
    {
        var bounds = new Bounds<double>(least, most, value => Show(value, null))
            .Describe(double.NegativeInfinity, long.MaxValue);
        return (bounds, unit) switch
        {
            (null, _) => unit,
            (_, null) => bounds,
            _ => char.IsLetter(bounds[0]) ? $"{unit}, {bounds}" : $"{bounds} {unit}",
        };
    }

    // Exact decimals, so that 2.6k is 2600 and not 2600.0000000000005.
    private static bool ReadExact(string text, out decimal value)
    {
        value = 0;
        var factor = Factor(text, out var digits);
        if (!decimal.TryParse(digits, Style, CultureInfo.InvariantCulture, out var number)
            || Math.Abs(number) > decimal.MaxValue / factor)
        {
            return false;
        }

        // 1e-30 is not nothing, which would mean something else: that a loop is closed, that nothing may be lost.
        var mantissa = digits.IndexOfAny('e', 'E') is var end and >= 0 ? digits[..end] : digits;
        if (number == 0 && mantissa.IndexOfAnyInRange('1', '9') >= 0)
            return false;

        value = number * factor;
        return true;
    }

    // Numbers beyond what a decimal holds are still numbers: they are refused by their bounds, not as nonsense.
    private static bool ReadInexact(string text, out double value)
    {
        var factor = Factor(text, out var digits);
        var understood = double.TryParse(digits, Style, CultureInfo.InvariantCulture, out value);
        value *= (double)factor;
        return understood && !double.IsNaN(value) && digits.Length > 0 && !char.IsAsciiLetter(digits[^1]);
    }

    private static decimal Factor(string text, out ReadOnlySpan<char> digits)
    {
        var factor = text.Length == 0 ? 1m : char.ToLowerInvariant(text[^1]) switch
        {
            'k' => 1_000m,
            'm' => 1_000_000m,
            'g' => 1_000_000_000m,
            _ => 1m,
        };
        digits = factor == 1m ? text : text.AsSpan(0, text.Length - 1);
        return factor;
    }

    // The unit's first word is what is counted: messages per second.
    private static string Singular(string unit)
    {
        var length = unit.IndexOf(' ', StringComparison.Ordinal) is var at && at < 0 ? unit.Length : at;
        return unit[..length].TrimEnd('s') + unit[length..];
    }

    private static string Hint(string text) =>
        text.Contains(',', StringComparison.Ordinal)
            ? "a number is needed, without thousands separators, for instance 10000, 10k or 2.5"
            : "a number is needed, for instance 1000, 10k or 2.6m";
}
