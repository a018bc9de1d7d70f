using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Another tool's command line: its options, its usage, and what it comes to.</summary>
/// <param name="Name">What is typed.</param>
/// <param name="Usage">The original's first line of usage, without its program's name.</param>
/// <param name="Catalogue">Its options.</param>
/// <param name="Syntax">How its command line is read.</param>
/// <param name="Run">Runs what was asked for; problems that only show together are thrown.</param>
internal sealed record ForeignTool<TOptions>(
    string Name,
    string Usage,
    ForeignCatalogue<TOptions> Catalogue,
    ForeignSyntax Syntax,
    Func<TOptions, ForeignCommandLine<TOptions>, CommandSurroundings, int> Run)
    where TOptions : ForeignOptionsOf, new()
{
    private const int NameColumns = 34;

    public ForeignCommand Command(string purpose) => new(Name, purpose, Start);

    private int Start(IReadOnlyList<string> words, CommandSurroundings surroundings)
    {
        try
        {
            return Read(words, surroundings);
        }
        catch (ConfigurationException problem)
        {
            return Refuse(problem.Problems, surroundings);
        }
    }

    private int Read(IReadOnlyList<string> words, CommandSurroundings surroundings)
    {
        var options = new TOptions();
        var line = new ForeignCommandLine<TOptions>(Catalogue, Syntax);
        line.Read(options, words);
        if (options.IsHelpAsked)
        {
            WriteHelp(surroundings.Output);
            return ExitCode.Valid;
        }

        if (options.IsVersionAsked)
        {
            surroundings.Output.WriteLine($"{Name} of {ProgramVersion.Text}");
            return ExitCode.Valid;
        }

        return line.Problems.Count == 0
            ? Run(options, line, surroundings)
            : throw new ConfigurationException(line.Problems);
    }

    /// <summary>What is set otherwise than by options, as YCSB's properties.</summary>
    public IReadOnlyList<ForeignOption> Properties { get; init; } = [];

    private int Refuse(IEnumerable<string> problems, CommandSurroundings surroundings)
    {
        foreach (var problem in problems.Distinct())
            surroundings.Error.WriteLine(PlainText.Clean(problem));
        surroundings.Error.WriteLine();
        surroundings.Error.WriteLine($"Usage: {Name} {Usage}");
        surroundings.Error.WriteLine($"Try {Name} --help; docs/front-ends.md has every option and its state.");
        return ExitCode.Usage;
    }

    private void WriteHelp(TextWriter output)
    {
        output.WriteLine($"Usage: {Name} {Usage}");
        output.WriteLine();
        foreach (var option in Catalogue.Options.Concat(Properties))
        {
            var names = string.Join(", ", option.Names) + (option.HasValue ? $" {option.Placeholder}" : string.Empty);
            var remark = option.IsRefused ? $"refused: {option.Remark}" : option.Remark;
            output.WriteLine($" {names.PadRight(NameColumns)} {remark}");
        }
    }
}
