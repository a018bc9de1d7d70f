using System.Globalization;
using System.Reflection;
using System.Runtime.Serialization;

namespace RedisLatency.Reports.Values;

/// <summary>The ways in which values of options are written, the same in every service.</summary>
public static class Syntax
{
    // Clocks count nanoseconds in 64 bits.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(100 * 365);

    /// <summary>On or off: the name alone turns it on; files and the environment say true or false.</summary>
    public static ValueSyntax<bool> Flag { get; } = new(
        "true|false", ReadFlag, value => value ? "true" : "false")
    { IsFlag = true };

    /// <summary>A number such as <c>1000</c>, <c>10k</c>, <c>2.6m</c> or <c>1e6</c>; bounds are inclusive.</summary>
    /// <param name="least">The smallest number allowed.</param>
    /// <param name="most">The largest number allowed.</param>
    /// <param name="unit">What is counted, in the plural, for instance <c>messages per second</c>.</param>
    public static ValueSyntax<double> Number(double least, double most, string? unit = null) =>
        new ValueSyntax<double>("NUMBER", NumberSyntax.Read, NumberSyntax.Write)
        {
            Limits = NumberSyntax.Limits(least, most, unit),
            Show = value => NumberSyntax.Show(value, null),
        }.Where(new Bounds<double>(least, most, value => NumberSyntax.Show(value, unit)).Problem);

    /// <summary>A rate; 0 means that there is none. One that is smaller would not be due within years.</summary>
    public static ValueSyntax<double> Rate(double most, string unit)
    {
        var least = new Bounds<double>(1e-6, most, value => NumberSyntax.Show(value, unit));
        return Number(0, most, unit).Where(rate => rate == 0 ? null : least.Problem(rate));
    }

    /// <summary>A whole number, with the suffixes of <see cref="Number"/>; bounds are inclusive.</summary>
    public static ValueSyntax<long> Count(long least, long most, string? unit = null) =>
        new ValueSyntax<long>("COUNT", NumberSyntax.ReadWhole, NumberSyntax.Write)
        {
            Limits = NumberSyntax.Limits(least, most, unit),
            Show = value => NumberSyntax.Show(value, null),
        }.Where(new Bounds<long>(least, most, value => NumberSyntax.Show(value, unit)).Problem);

    /// <summary>As <see cref="Count(long, long, string?)"/>, for options kept in an <see cref="int"/>.</summary>
    public static ValueSyntax<int> SmallCount(int least, int most, string? unit = null) =>
        Count(least, most, unit).As(value => (int)value, value => value);

    /// <summary>A length of time with its unit: <c>500ms</c>, <c>2s</c>, <c>1m30s</c>, <c>100us</c>.</summary>
    public static ValueSyntax<TimeSpan> Duration(TimeSpan? least = null, TimeSpan? most = null) =>
        Bounded(
            "DURATION", DurationSyntax.Read, DurationSyntax.Write,
            (least ?? TimeSpan.Zero, most ?? Longest), (TimeSpan.Zero, Longest));

    /// <summary>A number of bytes: <c>64</c>, <c>512B</c>, <c>1KiB</c>, <c>1MiB</c>.</summary>
    public static ValueSyntax<long> Size(long least, long most) =>
        Bounded("SIZE", SizeSyntax.Read, SizeSyntax.Write, (least, most), (0, long.MaxValue));

    /// <summary>One value or an inclusive range of them: <c>64</c>, <c>16..1024</c>.</summary>
    public static ValueSyntax<InclusiveRange<T>> Range<T>(ValueSyntax<T> element)
        where T : struct, IComparable<T> =>
        new(
            $"{element.Placeholder}|FROM..TO",
            text => InclusiveRange<T>.Read(text, element),
            range => range.Write(element.Write))
        {
            Limits = element.Limits,
            Show = range => range.Write(element.Show),
        };

    /// <summary>One of the values of an enum, in kebab case or as its <c>EnumMember</c> attribute spells it.</summary>
    public static ValueSyntax<T> Choice<T>()
        where T : struct, Enum
    {
        var values = Enum.GetValues<T>().ToDictionary(NameOf, StringComparer.OrdinalIgnoreCase);
        string[] names = [.. values.Keys];
        return new(
            string.Join('|', names),
            text => values.TryGetValue(text, out var value)
                ? ValueReading.Of<T>(value)
                : ValueReading.Wrong<T>(
                    $"one of {string.Join(", ", names)} is needed{NearestName.Question(text, names)}"),
            NameOf)
        {
            Choices = names,
        };
    }

    /// <summary>Any text that is not empty.</summary>
    /// <param name="placeholder">What the help shows in its place.</param>
    /// <param name="problem">Says what is wrong with a text, or null; it must not repeat secrets.</param>
    public static ValueSyntax<string> Text(string placeholder = "TEXT", Func<string, string?>? problem = null) =>
        AnyText(placeholder).Where(text => text.Length == 0 ? "must not be empty" : problem?.Invoke(text)) with
        {
            Write = value => string.IsNullOrEmpty(value) ? null : value,
        };

    /// <summary>Any text, the empty one too.</summary>
    public static ValueSyntax<string> AnyText(string placeholder) => new(placeholder, ValueReading.Of, value => value);

    /// <summary>As <see cref="Text"/>, for options that may be unset.</summary>
    public static ValueSyntax<string?> OptionalText(
        string placeholder = "TEXT", Func<string, string?>? problem = null) =>
        Text(placeholder, problem).As<string, string?>(value => value, value => value ?? "");

    /// <summary>The same syntax for an option that may be unset.</summary>
    public static ValueSyntax<T?> Optional<T>(this ValueSyntax<T> syntax)
        where T : struct =>
        syntax.Convert<T, T?>(
            value => value,
            value => value is { } set ? syntax.Write(set) : null,
            value => value is { } set ? syntax.Show(set) : null);

    /// <summary>The same syntax for another type.</summary>
    public static ValueSyntax<TTo> As<TFrom, TTo>(
        this ValueSyntax<TFrom> syntax, Func<TFrom, TTo> there, Func<TTo, TFrom> back) =>
        syntax.Convert(there, value => syntax.Write(back(value)), value => syntax.Show(back(value)));

    private static ValueSyntax<TTo> Convert<TFrom, TTo>(
        this ValueSyntax<TFrom> syntax, Func<TFrom, TTo> there, Func<TTo, string?> write, Func<TTo, string?> show) =>
        new(syntax.Placeholder, text => syntax.Read(text).Then(value => ValueReading.Of(there(value))), write)
        {
            Limits = syntax.Limits,
            Choices = syntax.Choices,
            IsFlag = syntax.IsFlag,
            Show = show,
        };

    private static ValueSyntax<T> Bounded<T>(
        string placeholder,
        Func<string, ValueReading<T>> read,
        Func<T, string> write,
        (T Least, T Most) allowed,
        (T Least, T Most) natural)
        where T : struct, IComparable<T>
    {
        var bounds = new Bounds<T>(allowed.Least, allowed.Most, write);
        return new ValueSyntax<T>(placeholder, read, write) { Limits = bounds.Describe(natural.Least, natural.Most) }
            .Where(bounds.Problem);
    }

    private static string NameOf<T>(T value)
        where T : struct, Enum =>
        typeof(T).GetField(value.ToString())!.GetCustomAttribute<EnumMemberAttribute>()?.Value
        ?? Spelling.KebabOf(value.ToString());

    private static ValueReading<bool> ReadFlag(string text) => text.ToLowerInvariant() switch
    {
        "true" or "yes" or "on" or "1" => ValueReading.Of<bool>(true),
        "false" or "no" or "off" or "0" => ValueReading.Of<bool>(false),
        _ => ValueReading.Wrong<bool>("true or false is needed"),
    };
}

/// <summary>
/// Numbers of bytes with binary units. <c>k</c>, <c>kb</c> and the like are refused: redis.conf and the SI disagree
/// about them.
/// </summary>
internal static class SizeSyntax
{
    private static readonly (string Name, long Bytes)[] Units =
        [("GiB", 1L << 30), ("MiB", 1L << 20), ("KiB", 1L << 10), ("B", 1)];

    public static ValueReading<long> Read(string text)
    {
        var digits = text.TrimEnd([.. "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]);
        var unit = UnitOf(text[digits.Length..]);
        if (!decimal.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var amount))
            return ValueReading.Wrong<long>("a size is needed, for instance 64, 512B, 1KiB or 1MiB");

        if (unit == 0)
            return ValueReading.Wrong<long>("the unit is not known: B, KiB, MiB or GiB (1KiB is 1,024 bytes)");

        if (amount > (decimal)long.MaxValue / unit)
            return ValueReading.Of<long>(long.MaxValue);

        var bytes = amount * unit;
        return bytes == decimal.Truncate(bytes)
            ? ValueReading.Of<long>((long)bytes)
            : ValueReading.Wrong<long>("a whole number of bytes is needed");
    }

    public static string Write(long bytes)
    {
        var (name, size) = Units.FirstOrDefault(unit => bytes >= unit.Bytes && bytes % unit.Bytes == 0, Units[^1]);
        return string.Create(CultureInfo.InvariantCulture, $"{bytes / size}{name}");
    }

    private static long UnitOf(string name) =>
        name.Length == 0
            ? 1
            : Units.FirstOrDefault(unit => unit.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Bytes;
}
