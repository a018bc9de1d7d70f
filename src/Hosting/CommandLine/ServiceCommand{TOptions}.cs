using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Hosting.CommandLine;

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
    /// <inheritdoc/>
    public override IReadOnlyList<OptionDescription> Options { get; } =
        [.. catalogue.Options.Select(option => option.Description)];

    internal override PreparedCommand Prepare(
        IReadOnlyDictionary<string, IReadOnlyList<string>> commandLine,
        IReadOnlyList<SettingsLayer> layers,
        CommandSurroundings surroundings,
        ICollection<string> problems)
    {
        var (options, effective) = OptionBinder.Bind(catalogue, layers, commandLine, problems);
        var bound = new BoundOptions<TOptions>(options, effective);
        var verbose = effective.Find(option => option.Name == OutputCatalogue.Verbose);
        return new(
            cancellation => handler(new(bound, surroundings), cancellation),
            verbose is null ? null : verbose.Value == "true");
    }
}

/// <summary>What the handler of a command is given.</summary>
/// <param name="Options">The options, checked, with the place each came from.</param>
/// <param name="Surroundings">Where to print, and the environment.</param>
public sealed record CommandRun<TOptions>(BoundOptions<TOptions> Options, CommandSurroundings Surroundings);
