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
        [.. catalogue.Offered().Select(option => option.Description)];

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
