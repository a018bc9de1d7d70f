using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Options;

/// <summary>
/// A command that only has verbs: alone it prints its help on one screen and ends with 0, as docker, kubectl and gh.
/// </summary>
public sealed class CommandGroup(string name, string purpose) : ServiceCommand(name, purpose)
{
    public override IReadOnlyList<OptionDescription> Options => [];

    internal string Commands => string.Join(", ", Verbs.Select(verb => verb.Name));

    internal override PreparedCommand Prepare(
        OptionBinder binder, CommandSurroundings surroundings, ICollection<string> problems) =>
        new(_ => Task.FromResult(ExitCode.Usage), [], null);
}
