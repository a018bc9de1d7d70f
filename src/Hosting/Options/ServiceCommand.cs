namespace RedisLatency.Hosting.Options;

/// <summary>A command of a program: the program itself, which runs its main job, or one of its verbs.</summary>
public abstract class ServiceCommand(string name, string purpose)
{
    public string Name { get; } = name;

    /// <summary>What it does, in one line.</summary>
    public string Purpose { get; } = purpose;

    /// <summary>Whether it can be a program by itself, and its examples begin after its name.</summary>
    public bool IsProgram { get; init; }

    /// <summary>Command lines to copy; a program has three.</summary>
    public IReadOnlyList<CommandExample> Examples { get; init; } = [];

    /// <summary>
    /// The names of the options that matter most, which the short help lists; of its verbs too, if they have them.
    /// </summary>
    public IReadOnlyList<string> Common { get; init; } = [];

    /// <summary>Further commands, each with its own options.</summary>
    public IReadOnlyList<ServiceCommand> Verbs { get; init; } = [];

    /// <summary>Files of another tool that <c>--config</c> takes.</summary>
    public ForeignSettings? ForeignSettings { get; init; }

    /// <summary>The options that it takes.</summary>
    public abstract IReadOnlyList<OptionDescription> Options { get; }

    /// <summary>Binds the options; what the result holds may be run only if no problem was found.</summary>
    internal abstract PreparedCommand Prepare(
        OptionBinder binder, CommandSurroundings surroundings, ICollection<string> problems);

    internal IEnumerable<ServiceCommand> WithVerbs() => Verbs.SelectMany(verb => verb.WithVerbs()).Prepend(this);
}

/// <summary>A command line to copy, with what it is for.</summary>
public sealed record CommandExample(string Purpose, string Command);

/// <summary>A command with its options and what it does.</summary>
/// <param name="name">What is typed.</param>
/// <param name="purpose">What it does, in one line.</param>
/// <param name="catalogue">The options.</param>
/// <param name="handler">
/// Does it, and returns the exit code. Signals are its own affair: nothing here listens to them or cuts a drain short.
/// </param>
/// <typeparam name="TOptions">The plain class that holds the options.</typeparam>
public sealed class ServiceCommand<TOptions>(
    string name,
    string purpose,
    OptionCatalogue<TOptions> catalogue,
    Func<CommandRun<TOptions>, CancellationToken, Task<int>> handler)
    : ServiceCommand(name, purpose)
    where TOptions : class, new()
{
    public override IReadOnlyList<OptionDescription> Options { get; } =
        [.. catalogue.Options.Select(option => option.Description)];

    internal override PreparedCommand Prepare(
        OptionBinder binder, CommandSurroundings surroundings, ICollection<string> problems)
    {
        var bound = binder.Bind(catalogue, problems);
        var verbose = bound.Effective.FirstOrDefault(option => option.Name == OutputCatalogue.Verbose);
        return new(
            cancellation => handler(new(bound, surroundings), cancellation),
            bound.Effective,
            verbose is null ? null : verbose.Value == "true");
    }
}

/// <summary>A command whose words are those of another tool: it reads them itself, all that follow its name.</summary>
/// <param name="name">What is typed.</param>
/// <param name="purpose">What it does, in one line.</param>
/// <param name="handler">Reads the words, does what they say, and returns the exit code.</param>
public sealed class ForeignCommand(
    string name, string purpose, Func<IReadOnlyList<string>, CommandSurroundings, int> handler)
    : ServiceCommand(name, purpose)
{
    public override IReadOnlyList<OptionDescription> Options => [];

    /// <summary>The handler and its words; null where another command is asked for.</summary>
    internal static Func<CommandSurroundings, int>? In(ServiceCommand root, IReadOnlyList<string> arguments) =>
        arguments.Count > 0 && root.Verbs.FirstOrDefault(verb => verb.Name == arguments[0]) is ForeignCommand command
            ? surroundings => command.Handle([.. arguments.Skip(1)], surroundings)
            : null;

    internal override PreparedCommand Prepare(
        OptionBinder binder, CommandSurroundings surroundings, ICollection<string> problems) =>
        new(_ => Task.FromResult(Handle([], surroundings)), [], null);

    internal int Handle(IReadOnlyList<string> words, CommandSurroundings surroundings) => handler(words, surroundings);
}

/// <summary>What the handler of a command is given.</summary>
public sealed record CommandRun<TOptions>(BoundOptions<TOptions> Options, CommandSurroundings Surroundings);

/// <summary>A command with its options bound; verbose is null where it cannot be asked to be.</summary>
internal sealed record PreparedCommand(
    Func<CancellationToken, Task<int>> Run, IReadOnlyList<EffectiveOption> Effective, bool? IsVerbose);

/// <summary>Files of settings that were written for another tool.</summary>
/// <param name="Suffix">How their names end: <c>.toml</c>.</param>
/// <param name="Read">Reads the text of one, with the variables of the environment.</param>
public sealed record ForeignSettings(
    string Suffix, Func<string, IReadOnlyDictionary<string, string>, ForeignContent> Read);

/// <summary>What such a file says.</summary>
/// <param name="Settings">As options of this program.</param>
/// <param name="Problems">What is wrong with it, each with its line; nothing is run then.</param>
/// <param name="Notes">What a user should know of it, each with its line.</param>
public sealed record ForeignContent(
    IReadOnlyList<ForeignSetting> Settings, IReadOnlyList<string> Problems, IReadOnlyList<string> Notes);

/// <summary>One of its settings.</summary>
/// <param name="Key">The key of the option here, of a list with the number of the element.</param>
/// <param name="Text">The value, as it would be typed.</param>
/// <param name="Name">What it is called there.</param>
/// <param name="Line">Where it stands.</param>
public sealed record ForeignSetting(string Key, string Text, string Name, int Line);
