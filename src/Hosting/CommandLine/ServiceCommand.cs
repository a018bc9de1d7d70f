using RedisLatency.Hosting.Options;

namespace RedisLatency.Hosting.CommandLine;

/// <summary>A command of a program: the program itself, which runs its main job, or one of its verbs.</summary>
public abstract class ServiceCommand
{
    private protected ServiceCommand(string name, string purpose)
    {
        Name = name;
        Purpose = purpose;
    }

    /// <summary>What is typed.</summary>
    public string Name { get; }

    /// <summary>What it does, in one line.</summary>
    public string Purpose { get; }

    /// <summary>Command lines to copy; a program has three.</summary>
    public IReadOnlyList<CommandExample> Examples { get; init; } = [];

    /// <summary>Further commands, each with its own options.</summary>
    public IReadOnlyList<ServiceCommand> Verbs { get; init; } = [];

    /// <summary>The options that it takes.</summary>
    public abstract IReadOnlyList<OptionDescription> Options { get; }

    /// <summary>Binds the options; what the result holds may be run only if no problem was found.</summary>
    internal abstract PreparedCommand Prepare(
        IReadOnlyDictionary<string, IReadOnlyList<string>> commandLine,
        IReadOnlyList<SettingsLayer> layers,
        CommandSurroundings surroundings,
        ICollection<string> problems);

    internal IEnumerable<ServiceCommand> WithVerbs() => Verbs.SelectMany(verb => verb.WithVerbs()).Prepend(this);
}

/// <summary>A command line to copy, with what it is for.</summary>
/// <param name="Purpose">What it does, in one line.</param>
/// <param name="Command">What to type after the program's name.</param>
public sealed record CommandExample(string Purpose, string Command);
