using System.Linq.Expressions;
using System.Reflection;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>An option of a service, declared once: its description, and how it gets into the options.</summary>
/// <typeparam name="TOptions">The plain class that holds the values.</typeparam>
public sealed class ServiceOption<TOptions>
{
    internal ServiceOption(
        OptionDescription description,
        Func<TOptions, IReadOnlyList<string>> write,
        Func<TOptions, IReadOnlyList<string>, IReadOnlyList<OptionProblem>> set) =>
        (Description, Write, Set) = (description, write, set);

    public OptionDescription Description { get; }
    internal Func<TOptions, IReadOnlyList<string>> Write { get; }

    /// <summary>Sets the values given, all of them or, where one is wrong, none.</summary>
    internal Func<TOptions, IReadOnlyList<string>, IReadOnlyList<OptionProblem>> Set { get; }

    /// <summary>Sets a value as another tool has it, which may be given again.</summary>
    /// <param name="options">What it is set in.</param>
    /// <param name="text">The value.</param>
    /// <param name="name">What the option is called there.</param>
    /// <param name="given">Name and value as they were typed.</param>
    /// <returns>What is wrong, as a line; else null.</returns>
    public string? Take(TOptions options, string text, string name, string given) =>
        Description.IsRefused ? $"{name} cannot be honoured: {Description.Help}"
        : Set(options, [text]) is [var wrong, ..] ? $"{given}: {wrong.Problem}"
        : null;

    /// <summary>The same option with another description.</summary>
    internal ServiceOption<TOptions> As(OptionDescription description) => new(description, Write, Set);

    /// <summary>The same option for a class that holds this one's class in a property.</summary>
    internal ServiceOption<TOuter> Within<TOuter>(Func<TOuter, TOptions> part) =>
        new(Description, outer => Write(part(outer)), (outer, texts) => Set(part(outer), texts));
}

internal sealed class OptionProperty<TOptions, TValue>
    where TOptions : class
{
    private readonly Action<TOptions, TValue> _set;

    private OptionProperty(PropertyInfo property)
    {
        // Delegates on the accessors: compiling an expression tree per option would cost the start of every command.
        Get = property.GetMethod!.CreateDelegate<Func<TOptions, TValue>>();
        _set = property.SetMethod!.CreateDelegate<Action<TOptions, TValue>>();
    }

    public Func<TOptions, TValue> Get { get; }

    public static OptionProperty<TOptions, TValue> Of(Expression<Func<TOptions, TValue>> property) =>
        property.Body is MemberExpression { Expression: ParameterExpression, Member: PropertyInfo member }
        && member.CanWrite
            ? new(member)
            : throw new ArgumentException($"{property} must name a property that can be set", nameof(property));

    public IReadOnlyList<OptionProblem> SetValue(
        TOptions options, IReadOnlyList<string> texts, ValueSyntax<TValue> syntax) =>
        texts.Count == 1
            ? Set(options, texts, syntax, values => values[0])
            : [new(string.Join(' ', texts), "one value is needed")];

    public IReadOnlyList<OptionProblem> SetAll<TElement>(
        TOptions options, IReadOnlyList<string> texts, ValueSyntax<TElement> syntax) =>
        Set(options, texts, syntax, values => (TValue)(object)values);

    private List<OptionProblem> Set<TElement>(
        TOptions options, IReadOnlyList<string> texts, ValueSyntax<TElement> syntax, Func<TElement[], TValue> join) =>
        OptionValues.Read(texts, syntax, values => _set(options, join(values)));
}

internal static class OptionValues
{
    /// <summary>Takes all of the texts, or says what is wrong with some.</summary>
    public static List<OptionProblem> Read<TElement>(
        IReadOnlyList<string> texts, ValueSyntax<TElement> syntax, Action<TElement[]> take)
    {
        var readings = texts.Select(text => (Text: text, Reading: syntax.Read(text))).ToList();
        var problems = readings.Where(one => one.Reading.Problem is not null)
            .Select(one => new OptionProblem(one.Text, one.Reading.Problem!)).ToList();
        if (problems.Count == 0)
            take([.. readings.Select(one => one.Reading.Value!)]);
        return problems;
    }
}

internal readonly record struct OptionProblem(string Text, string Problem);
