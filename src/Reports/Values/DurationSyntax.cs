using System.Globalization;
using System.Text;

namespace RedisLatency.Reports.Values;

/// <summary>Lengths of time, whose unit must be given: a bare number is refused rather than guessed at.</summary>
internal static class DurationSyntax
{
    private static readonly (string Name, decimal Nanoseconds)[] Units =
    [
        ("d", 86_400_000_000_000m),
        ("h", 3_600_000_000_000m),
        ("m", 60_000_000_000m),
        ("s", 1_000_000_000m),
        ("ms", 1_000_000m),
        ("us", 1_000m),
        ("ns", 1m),
    ];

    public static ValueReading<TimeSpan> Read(string text) => ReadNanoseconds(text).Then(nanoseconds =>
    {
        var ticks = nanoseconds / TimeSpan.NanosecondsPerTick;
        return ticks != decimal.Truncate(ticks)
                ? ValueReading.Wrong<TimeSpan>($"the finest step is {TimeSpan.NanosecondsPerTick}ns")
            : ticks is < long.MinValue or > long.MaxValue ? ValueReading.Wrong<TimeSpan>("too long")
            : ValueReading.Of<TimeSpan>(TimeSpan.FromTicks((long)ticks));
    });

    public static ValueReading<decimal> ReadNanoseconds(string text)
    {
        var rest = text.AsSpan();
        var negative = rest.StartsWith("-");
        rest = negative ? rest[1..] : rest;
        if (rest is "0")
            return ValueReading.Of<decimal>(0);

        var total = 0m;
        var coarsest = 0;
        while (rest.Length > 0)
        {
            var digits = Prefix(rest, c => char.IsAsciiDigit(c) || c == '.');
            var letters = Prefix(rest[digits..], char.IsLetter);
            var unit = UnitOf(rest.Slice(digits, letters));
            if (unit < coarsest || !decimal.TryParse(
                rest[..digits], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var amount)
                || amount > 1_000_000_000_000m)
            {
                return ValueReading.Wrong<decimal>(letters == 0 && digits == rest.Length
                    ? $"a duration needs a unit, for instance {rest}ms or {rest}s"
                    : "a duration is needed, for instance 500ms, 2s, 1m30s or 100us");
            }

            total += amount * Units[unit].Nanoseconds;
            coarsest = unit + 1;
            rest = rest[(digits + letters)..];
        }

        return coarsest == 0
            ? ValueReading.Wrong<decimal>("a duration is needed, for instance 500ms, 2s, 1m30s or 100us")
            : ValueReading.Of<decimal>(negative ? -total : total);
    }

    public static string Write(TimeSpan value)
    {
        if (value == TimeSpan.Zero)
            return "0s";

        var text = new StringBuilder(value < TimeSpan.Zero ? "-" : "");
        var rest = Math.Abs((decimal)value.Ticks) * TimeSpan.NanosecondsPerTick;
        foreach (var (name, nanoseconds) in Units)
        {
            if (rest < nanoseconds)
                continue;

            // From seconds down the rest is one decimal number: 1m30.5s, 1.25ms.
            var amount = nanoseconds > 1_000_000_000m ? decimal.Truncate(rest / nanoseconds) : rest / nanoseconds;
            text.Append(CultureInfo.InvariantCulture, $"{amount:0.#########}{name}");
            rest -= amount * nanoseconds;
        }

        return text.ToString();
    }

    private static int UnitOf(ReadOnlySpan<char> name)
    {
        for (var i = 0; i < Units.Length; i++)
        {
            if (name.SequenceEqual(Units[i].Name))
                return i;
        }

        return name is "µs" or "μs" ? 5 : -1;
    }

    private static int Prefix(ReadOnlySpan<char> text, Func<char, bool> belongs)
    {
        var length = 0;
        while (length < text.Length && belongs(text[length]))
            length++;

        return length;
    }
}
