namespace RedisLatency.Hosting.Options;

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
