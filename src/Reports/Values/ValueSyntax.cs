namespace RedisLatency.Reports.Values;

/// <summary>How a value of an option is written, what range it may have, and how it is shown.</summary>
/// <param name="placeholder">What the help shows in the value's place, for instance <c>DURATION</c>.</param>
/// <param name="read">Reads a text; it must not throw.</param>
/// <param name="write">Writes a value so that <paramref name="read"/> understands it again; null for "not set".</param>
public sealed class ValueSyntax<T>(string placeholder, Func<string, ValueReading<T>> read, Func<T, string?> write)
{
    private readonly Func<T, string?>? _show;

    /// <summary>What the help shows in the value's place.</summary>
    public string Placeholder { get; } = placeholder;

    /// <summary>Range and unit as the help shows them, for instance <c>0 to 10,000 messages per second</c>.</summary>
    public string? Limits { get; init; }

    /// <summary>The words that may be given, where there is a fixed set of them.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>Whether the option's name alone is enough to turn it on.</summary>
    public bool IsFlag { get; init; }

    /// <summary>How a value is shown in the help, where that differs from how it is written.</summary>
    public Func<T, string?> Show { get => _show ?? write; init => _show = value; }

    /// <summary>Reads a text.</summary>
    public ValueReading<T> Read(string text) => read(text);

    /// <summary>Writes a value; null where it is not set.</summary>
    public string? Write(T value) => write(value);

    /// <summary>The same syntax with a further rule.</summary>
    /// <param name="problem">Says what is wrong with a value, or null.</param>
    public ValueSyntax<T> Where(Func<T, string?> problem) =>
        new(Placeholder, text => Check(text, problem), write)
        {
            Limits = Limits,
            Choices = Choices,
            IsFlag = IsFlag,
            Show = Show,
        };

    private ValueReading<T> Check(string text, Func<T, string?> problem)
    {
        var reading = read(text);
        return reading.Problem is null && problem(reading.Value!) is { } wrong
            ? ValueReading.Wrong<T>(wrong)
            : reading;
    }
}

/// <summary>What became of a text that a user gave for an option: a value, or what is wrong with it.</summary>
/// <param name="Value">The value; meaningful only where <paramref name="Problem"/> is null.</param>
/// <param name="Problem">What would be right, as the end of a sentence such as <c>--rate 1e9: at most 10</c>.</param>
public readonly record struct ValueReading<T>(T? Value, string? Problem);

/// <summary>Makes readings.</summary>
public static class ValueReading
{
    /// <summary>A text that was understood.</summary>
    public static ValueReading<T> Of<T>(T value) => new(value, null);

    /// <summary>A text that was not.</summary>
    public static ValueReading<T> Wrong<T>(string problem) => new(default, problem);
}
