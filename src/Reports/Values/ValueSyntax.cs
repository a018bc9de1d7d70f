namespace RedisLatency.Reports.Values;

/// <summary>How a value of an option is written, what range it may have, and how it is shown.</summary>
/// <param name="Placeholder">What the help shows in the value's place, for instance <c>DURATION</c>.</param>
/// <param name="Read">Reads a text; it must not throw.</param>
/// <param name="Write">Writes a value so that <paramref name="Read"/> understands it again; null for "not set".</param>
public sealed record ValueSyntax<T>(string Placeholder, Func<string, ValueReading<T>> Read, Func<T, string?> Write)
{
    /// <summary>Range and unit as the help shows them, for instance <c>0 to 10,000 messages per second</c>.</summary>
    public string? Limits { get; init; }

    /// <summary>The words that may be given, where there is a fixed set of them.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>Whether the option's name alone is enough to turn it on.</summary>
    public bool IsFlag { get; init; }

    /// <summary>How a value is shown in the help, where that differs from how it is written.</summary>
    public Func<T, string?> Show { get => field ?? Write; init; }

    /// <summary>The same syntax with a further rule.</summary>
    public ValueSyntax<T> Where(Func<T, string?> problem) => this with
    {
        Read = text => Read(text).Then(value => problem(value) is { } wrong
            ? ValueReading.Wrong<T>(wrong)
            : ValueReading.Of<T>(value)),
    };
}
