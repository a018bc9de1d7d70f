namespace RedisLatency.Reports.Values;

/// <summary>The ways in which values of options are written, the same in every service.</summary>
public static class Syntax
{
    /// <summary>On or off: the name alone turns it on; files and the environment say true or false.</summary>
    public static ValueSyntax<bool> Flag { get; } = new(
        "true|false", ReadFlag, value => value ? "true" : "false")
    { IsFlag = true };

    /// <summary>A number such as <c>1000</c>, <c>10k</c>, <c>2.6m</c> or <c>1e6</c>; bounds are inclusive.</summary>
    /// <param name="least">The smallest number allowed.</param>
    /// <param name="most">The largest number allowed.</param>
    /// <param name="unit">What is counted, in the plural, for instance <c>messages per second</c>.</param>
    public static ValueSyntax<double> Number(double least, double most, string? unit = null)
    {
        var bounds = new Bounds<double>(least, most, value => NumberSyntax.Show(value, unit));
        return new("NUMBER", text => bounds.Check(NumberSyntax.Read(text)), NumberSyntax.Write)
        {
            Limits = NumberSyntax.Limits(least, most, unit),
            Show = value => NumberSyntax.Show(value, null),
        };
    }

    /// <summary>A whole number, with the suffixes of <see cref="Number"/>; bounds are inclusive.</summary>
    public static ValueSyntax<long> Count(long least, long most, string? unit = null)
    {
        var bounds = new Bounds<long>(least, most, value => NumberSyntax.Show(value, unit));
        return new("COUNT", text => bounds.Check(NumberSyntax.ReadWhole(text)), value => NumberSyntax.Write(value))
        {
            Limits = NumberSyntax.Limits(least, most, unit),
            Show = value => NumberSyntax.Show(value, null),
        };
    }

    /// <summary>As <see cref="Count(long, long, string?)"/>, for options kept in an <see cref="int"/>.</summary>
    public static ValueSyntax<int> SmallCount(int least, int most, string? unit = null) =>
        Count(least, most, unit).As(value => (int)value, value => value);

    /// <summary>A length of time with its unit: <c>500ms</c>, <c>2s</c>, <c>1m30s</c>, <c>100us</c>.</summary>
    public static ValueSyntax<TimeSpan> Duration(TimeSpan? least = null, TimeSpan? most = null)
    {
        var bounds = new Bounds<TimeSpan>(least ?? TimeSpan.Zero, most ?? TimeSpan.MaxValue, DurationSyntax.Write);
        return new("DURATION", text => bounds.Check(DurationSyntax.Read(text)), DurationSyntax.Write)
        {
            Limits = bounds.Describe(TimeSpan.Zero, TimeSpan.MaxValue),
        };
    }

    /// <summary>A number of bytes: <c>64</c>, <c>512B</c>, <c>1KiB</c>, <c>1MiB</c>.</summary>
    public static ValueSyntax<long> Size(long least, long most)
    {
        var bounds = new Bounds<long>(least, most, SizeSyntax.Write);
        return new("SIZE", text => bounds.Check(SizeSyntax.Read(text)), SizeSyntax.Write)
        {
            Limits = bounds.Describe(0, long.MaxValue),
        };
    }

    /// <summary>One value or an inclusive range of them: <c>64</c>, <c>16..1024</c>.</summary>
    public static ValueSyntax<InclusiveRange<T>> Range<T>(ValueSyntax<T> element)
        where T : struct, IComparable<T> =>
        new(
            $"{element.Placeholder}|FROM..TO",
            text => RangeSyntax.Read(text, element),
            range => RangeSyntax.Write(range, element))
        {
            Limits = element.Limits,
            Show = range => RangeSyntax.Show(range, element),
        };

    /// <summary>One of the values of an enum, in kebab case or as its <c>EnumMember</c> attribute spells it.</summary>
    public static ValueSyntax<T> Choice<T>()
        where T : struct, Enum
    {
        var words = ChoiceSyntax.Words<T>();
        return new(
            string.Join('|', words.Select(word => word.Name)),
            text => ChoiceSyntax.Read(text, words),
            value => ChoiceSyntax.Write(value, words))
        {
            Choices = [.. words.Select(word => word.Name)],
        };
    }

    /// <summary>Any text that is not empty.</summary>
    /// <param name="placeholder">What the help shows in its place.</param>
    /// <param name="problem">Says what is wrong with a text, or null; it must not repeat secrets.</param>
    public static ValueSyntax<string> Text(string placeholder = "TEXT", Func<string, string?>? problem = null) =>
        new(
            placeholder,
            text => (text.Length == 0 ? "must not be empty" : problem?.Invoke(text)) is { } wrong
                ? ValueReading.Wrong<string>(wrong)
                : ValueReading.Of<string>(text),
            value => string.IsNullOrEmpty(value) ? null : value);

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
        this ValueSyntax<TFrom> syntax, Func<TFrom, TTo> there, Func<TTo, string?> write, Func<TTo, string?> show)
    {
        return new(syntax.Placeholder, Read, write)
        {
            Limits = syntax.Limits,
            Choices = syntax.Choices,
            IsFlag = syntax.IsFlag,
            Show = show,
        };

        ValueReading<TTo> Read(string text)
        {
            var reading = syntax.Read(text);
            return reading.Problem is { } problem
                ? ValueReading.Wrong<TTo>(problem)
                : ValueReading.Of<TTo>(there(reading.Value!));
        }
    }

    private static ValueReading<bool> ReadFlag(string text) => text.ToLowerInvariant() switch
    {
        "true" or "yes" or "on" or "1" => ValueReading.Of<bool>(true),
        "false" or "no" or "off" or "0" => ValueReading.Of<bool>(false),
        _ => ValueReading.Wrong<bool>("true or false is needed"),
    };
}
