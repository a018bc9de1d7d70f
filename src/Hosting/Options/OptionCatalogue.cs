using System.Linq.Expressions;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>
/// All options of a command, each declared once. Command line, help, configuration keys, environment names, checking
/// and the list of effective values come from it. Defaults are those that a new <typeparamref name="TOptions"/> has.
/// </summary>
/// <param name="section">The configuration section of the options, for instance <c>Producer</c>.</param>
public sealed class OptionCatalogue<TOptions>(string section)
    where TOptions : class, new()
{
    private readonly TOptions _defaults = new();
    private readonly List<ServiceOption<TOptions>> _options = [];
    private readonly List<OptionRule<TOptions>> _rules = [];
    private string _group = "Options";

    /// <summary>The options in the order in which the help shows them.</summary>
    public IReadOnlyList<ServiceOption<TOptions>> Options => _options;

    internal IReadOnlyList<OptionRule<TOptions>> Rules => _rules;

    /// <summary>The options as a command offers them: what they say of an option that it has not is left out.</summary>
    internal IReadOnlyList<ServiceOption<TOptions>> Offered()
    {
        var names = _options.SelectMany(option => option.Description.Names).ToHashSet(StringComparer.Ordinal);
        return [.. _options.Select(option => option.As(option.Description.Among(names)))];
    }

    /// <summary>Begins a group of the help.</summary>
    public OptionCatalogue<TOptions> Group(string heading)
    {
        _group = heading;
        return this;
    }

    /// <summary>Adds an option with one value.</summary>
    /// <inheritdoc cref="AddList"/>
    public OptionCatalogue<TOptions> Add<TValue>(
        string name,
        Expression<Func<TOptions, TValue>> property,
        ValueSyntax<TValue> syntax,
        string help,
        string? key = null,
        string? shownDefault = null,
        Func<string, string>? mask = null,
        string? word = null) =>
        AddSingle(property, syntax, Named(Describe(name, syntax, help, mask), key, shownDefault, word));

    /// <summary>Adds an option that may be given several times. A higher layer replaces the whole list.</summary>
    /// <param name="name">
    /// The long name with its dashes, others after it, and what stands for the value if the syntax does not say it:
    /// <c>--clients -c NUMBER</c>.
    /// </param>
    /// <param name="property">The property that holds the value, for instance <c>o => o.Rate</c>.</param>
    /// <param name="syntax">How the value is written, and its range.</param>
    /// <param name="help">What it does, in one line without a full stop.</param>
    /// <param name="key">The key in the section; by default the name in Pascal case.</param>
    /// <param name="shownDefault">The default in words, where the value alone would not tell.</param>
    /// <param name="mask">Hides what is secret in a value, for instance <see cref="OptionMask.Whole"/>.</param>
    /// <param name="word">See <see cref="OptionDescription.Word"/>.</param>
    public OptionCatalogue<TOptions> AddList<TValue>(
        string name,
        Expression<Func<TOptions, IReadOnlyList<TValue>>> property,
        ValueSyntax<TValue> syntax,
        string help,
        string? key = null,
        string? shownDefault = null,
        Func<string, string>? mask = null,
        string? word = null) =>
        AddSeveral(property, syntax, Named(Describe(name, syntax, help, mask), key, shownDefault, word));

    /// <summary>Adds an option that does more than to set a property.</summary>
    public OptionCatalogue<TOptions> Add<TValue>(
        string name, Action<TOptions, TValue> set, ValueSyntax<TValue> syntax, string help) =>
        AddOption(new(
            Describe(name, syntax, help),
            _ => [],
            (options, texts) => OptionValues.Read(texts, syntax, values =>
            {
                foreach (var value in values)
                    set(options, value);
            })));

    /// <summary>Adds an option of another tool that cannot be honoured here, and says why.</summary>
    public OptionCatalogue<TOptions> Refuse(string name, string why)
    {
        var option = Describe(name, Syntax.AnyText(string.Empty), why);
        return AddOption(new(
            option with { IsRefused = true, IsFlag = option.Placeholder.Length == 0 },
            _ => [],
            (_, texts) => [new(texts[0], why)]));
    }

    /// <summary>Adds a value that is recognised by its place, such as the folder of <c>show FOLDER</c>.</summary>
    public OptionCatalogue<TOptions> AddArgument<TValue>(
        string name,
        Expression<Func<TOptions, TValue>> property,
        ValueSyntax<TValue> syntax,
        string help,
        bool required = true,
        Func<string, string>? mask = null) =>
        AddSingle(
            property, syntax, Describe(name, syntax, help, mask) with { IsArgument = true, IsRequired = required });

    /// <summary>Adds any number of values at the end of the command line; where required, at least one.</summary>
    public OptionCatalogue<TOptions> AddArguments<TValue>(
        string name,
        Expression<Func<TOptions, IReadOnlyList<TValue>>> property,
        ValueSyntax<TValue> syntax,
        string help,
        bool required = true) =>
        AddSeveral(
            property, syntax, Describe(name, syntax, help) with { IsArgument = true, IsRequired = required });

    /// <summary>Takes the options of a shared part, with their groups, sections and rules.</summary>
    public OptionCatalogue<TOptions> Include<TPart>(OptionCatalogue<TPart> shared, Func<TOptions, TPart> part)
        where TPart : class, new()
    {
        foreach (var option in shared.Options)
            AddOption(option.Within(part));

        _rules.AddRange(shared.Rules.Select(
            rule => new OptionRule<TOptions>(rule.Names, options => rule.Problem(part(options)))));
        return this;
    }

    /// <summary>A catalogue with only some of the options, for a verb that needs no others.</summary>
    public OptionCatalogue<TOptions> Only(params string[] names)
    {
        var chosen = new OptionCatalogue<TOptions>(section);
        chosen._options.AddRange(names.Select(name => _options.Single(option => option.Description.Name == name)));
        chosen._rules.AddRange(_rules.Where(rule => rule.Names.All(names.Contains)));
        return chosen;
    }

    /// <summary>A catalogue without some of the options.</summary>
    public OptionCatalogue<TOptions> Except(params string[] names) =>
        Only([.. _options.Select(option => option.Description.Name).Except(names, StringComparer.Ordinal)]);

    /// <summary>Sets options from texts as they would be typed; files and the environment are not looked at.</summary>
    /// <returns>Everything that is wrong: first with names and values, then with what they are together.</returns>
    public IReadOnlyList<NamedProblem> Set(TOptions options, IReadOnlyDictionary<string, IReadOnlyList<string>> texts)
    {
        var problems = new List<NamedProblem>();
        foreach (var (name, given) in texts)
        {
            if (_options.Find(option => option.Description.Name == $"--{name}") is not { } option)
            {
                var known = _options.Select(other => other.Description.Name.TrimStart('-'));
                problems.Add(new([name], $"there is no such option{NearestName.Question(name, known)}"));
            }
            else if (given.Count > 1 && !option.Description.IsRepeatable)
            {
                problems.Add(new([name], "one value is needed"));
            }
            else
            {
                problems.AddRange(option.Set(options, given).Select(problem => new NamedProblem(
                    [name], $"{option.Description.Masked(problem.Text)}: {problem.Problem}")));
            }
        }

        var wrong = problems.SelectMany(problem => problem.Names).Select(name => $"--{name}").ToHashSet();
        problems.AddRange(_rules
            .Where(rule => !rule.Names.Any(wrong.Contains))
            .Select(rule => new NamedProblem(
                [.. rule.Names.Select(name => name.TrimStart('-'))], rule.Problem(options) ?? string.Empty))
            .Where(problem => problem.Problem.Length > 0));
        return problems;
    }

    /// <summary>Adds a rule over several options.</summary>
    /// <param name="names">The options it is about; the message begins with them.</param>
    /// <param name="problem">What is wrong, or null. It is not asked while one of the options is itself wrong.</param>
    public OptionCatalogue<TOptions> Rule(IReadOnlyList<string> names, Func<TOptions, string?> problem)
    {
        _rules.Add(new(names, problem));
        return this;
    }

    private OptionCatalogue<TOptions> AddSingle<TValue>(
        Expression<Func<TOptions, TValue>> property, ValueSyntax<TValue> syntax, OptionDescription description)
    {
        var access = OptionProperty<TOptions, TValue>.Of(property);
        return AddOption(new(
            description with { Default = description.Default ?? ShownDefault(syntax.Show(access.Get(_defaults))) },
            options => syntax.Write(access.Get(options)) is { } text ? [text] : [],
            (options, texts) => access.SetValue(options, texts, syntax)));
    }

    private OptionCatalogue<TOptions> AddSeveral<TValue>(
        Expression<Func<TOptions, IReadOnlyList<TValue>>> property,
        ValueSyntax<TValue> syntax,
        OptionDescription description)
    {
        var access = OptionProperty<TOptions, IReadOnlyList<TValue>>.Of(property);
        var shown = string.Join(' ', access.Get(_defaults).Select(syntax.Show));
        return AddOption(new(
            description with { Default = description.Default ?? ShownDefault(shown), IsRepeatable = true },
            options => [.. access.Get(options).Select(value => syntax.Write(value) ?? "")],
            (options, texts) => access.SetAll(options, texts, syntax)));
    }

    private OptionCatalogue<TOptions> AddOption(ServiceOption<TOptions> option)
    {
        if (_options.Any(known => known.Description.Name == option.Description.Name))
            throw new ArgumentException($"{option.Description.Name} is declared twice", nameof(option));

        _options.Add(option);
        return this;
    }

    private OptionDescription Describe<TValue>(
        string spelling, ValueSyntax<TValue> syntax, string help, Func<string, string>? mask = null)
    {
        var words = spelling.Split(' ');
        string[] aliases = [.. words.Skip(1).TakeWhile(word => word.StartsWith('-'))];
        return new()
        {
            Name = words[0],
            Aliases = aliases,
            Group = _group,
            Help = help,
            Placeholder = words.ElementAtOrDefault(1 + aliases.Length) ?? syntax.Placeholder,
            Limits = syntax.Limits,
            Choices = syntax.Choices,
            IsFlag = syntax.IsFlag,
            Mask = mask,
        };
    }

    private OptionDescription Named(OptionDescription option, string? key, string? shownDefault, string? word) =>
        option with
        {
            ConfigurationKey = $"{section}:{key ?? Spelling.PascalOf(option.Name)}",
            Default = shownDefault,
            Word = word,
        };

    private static string? ShownDefault(string? shown) => string.IsNullOrEmpty(shown) ? null : shown;
}

/// <summary>Something wrong with options that were set by name.</summary>
public sealed record NamedProblem(IReadOnlyList<string> Names, string Problem);

/// <summary>A rule over several options; it is not asked while one of them is itself wrong.</summary>
internal sealed record OptionRule<TOptions>(IReadOnlyList<string> Names, Func<TOptions, string?> Problem);
