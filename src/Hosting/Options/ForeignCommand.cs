using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Options;

/// <summary>A command whose words are those of another tool: all that follow its name, read in its dialect.</summary>
public abstract class ForeignCommand(string name, string purpose) : ServiceCommand(name, purpose)
{
    public override IReadOnlyList<OptionDescription> Options => [];

    /// <summary>The command and its words; null where another one is asked for.</summary>
    internal static Func<CommandSurroundings, int>? In(ServiceCommand root, IReadOnlyList<string> arguments) =>
        arguments.Count > 0 && root.Verbs.FirstOrDefault(verb => verb.Name == arguments[0]) is ForeignCommand command
            ? surroundings => command.Handle([.. arguments.Skip(1)], surroundings)
            : null;

    internal override PreparedCommand Prepare(
        OptionBinder binder, CommandSurroundings surroundings, ICollection<string> problems) =>
        new(_ => Task.FromResult(Handle([], surroundings)), [], null);

    internal abstract int Handle(IReadOnlyList<string> words, CommandSurroundings surroundings);
}

/// <summary>A command of another tool with its options, its usage, and what it is turned into.</summary>
/// <param name="name">What is typed.</param>
/// <param name="purpose">What it does, in one line.</param>
/// <param name="usage">The original's first line of usage, without its program's name.</param>
/// <param name="dialect">How its command line is read.</param>
/// <param name="catalogue">Makes its options; they have <c>--help</c> and <c>--version</c>.</param>
/// <param name="run">Runs what was asked for; problems that only show together are thrown.</param>
public sealed class ForeignCommand<TOptions>(
    string name,
    string purpose,
    string usage,
    OptionDialect dialect,
    Func<OptionCatalogue<TOptions>> catalogue,
    Func<ForeignCommandLine<TOptions>, CommandSurroundings, int> run)
    : ForeignCommand(name, purpose)
    where TOptions : class, new()
{
    private const int NameColumns = 34;

    /// <summary>The document that has what is different from the original.</summary>
    public required string Manual { get; init; }

    /// <summary>What is set otherwise than by options, as YCSB's properties.</summary>
    public Func<IEnumerable<OptionDescription>> Properties { get; init; } = () => [];

    internal override int Handle(IReadOnlyList<string> words, CommandSurroundings surroundings)
    {
        try
        {
            return Read(words, surroundings);
        }
        catch (ConfigurationException problem)
        {
            return Refuse(problem.Problems, surroundings.Error);
        }
    }

    private int Read(IReadOnlyList<string> words, CommandSurroundings surroundings)
    {
        var options = catalogue();
        var line = new ForeignCommandLine<TOptions>(options, dialect, words);
        if (line.Given.Contains("--help"))
        {
            WriteHelp(options.Options.Select(option => option.Description), surroundings.Output);
            return ExitCode.Valid;
        }

        if (line.Given.Contains("--version"))
        {
            surroundings.Output.WriteLine($"{Name} of {ProgramVersion.Text}");
            return ExitCode.Valid;
        }

        return line.Problems.Count == 0 ? run(line, surroundings) : throw new ConfigurationException(line.Problems);
    }

    private int Refuse(IEnumerable<string> problems, TextWriter error)
    {
        foreach (var problem in problems.Distinct())
            error.WriteLine(PlainText.Clean(problem));
        error.WriteLine();
        error.WriteLine($"Usage: {Name} {usage}");
        error.WriteLine($"Try {Name} --help; {Manual} says how it differs from the original.");
        return ExitCode.Usage;
    }

    private void WriteHelp(IEnumerable<OptionDescription> options, TextWriter output)
    {
        output.WriteLine($"Usage: {Name} {usage}");
        output.WriteLine();
        foreach (var option in options.Concat(Properties()))
        {
            var remark = option.IsRefused ? $"refused: {option.Help}" : option.Help;
            output.WriteLine($" {option.Spelling.PadRight(NameColumns)} {remark}");
        }
    }
}
