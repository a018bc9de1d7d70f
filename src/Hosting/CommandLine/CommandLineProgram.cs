using System.CommandLine;
using System.CommandLine.Help;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Options.Settings;

namespace RedisLatency.Hosting.CommandLine;

/// <summary>
/// A program: reads its command line, files and environment, and runs one of its commands. System.CommandLine only
/// parses: invoked by it, a handler would be cut off two seconds after a signal, and a wrong option would end with 1
/// and the whole help on standard output (2.0.15).
/// </summary>
/// <param name="root">The program; its verbs are further commands.</param>
/// <param name="exitCodeOf">The exit code of an expected failure; null for a fault of our own.</param>
public sealed class CommandLineProgram(ServiceCommand root, Func<Exception, int?>? exitCodeOf = null)
{
    private const int Fault = 1;
    private const int WrongUsage = 2;

    // `@channel` is a value like any other, and `-qv` is not worth a mistyped `-rate` being taken apart.
    private static readonly ParserConfiguration _parser = new()
    {
        ResponseFileTokenReplacer = null,
        EnablePosixBundling = false,
    };

    /// <summary>Runs the program with the console and the environment of this process.</summary>
    public Task<int> RunAsync(IReadOnlyList<string> arguments, CancellationToken cancellation = default) =>
        RunAsync(arguments, CommandSurroundings.OfProcess(), cancellation);

    /// <summary>Runs the program.</summary>
    /// <returns>The exit code: that of the command, or 2 for wrong usage, or 1 for a fault.</returns>
    public async Task<int> RunAsync(
        IReadOnlyList<string> arguments, CommandSurroundings surroundings, CancellationToken cancellation = default)
    {
        var tree = new CommandTree(root);
        Answer<HelpOption>(tree, parsed => HelpText.Write(PathTo(tree, parsed), surroundings.Output));
        Answer<VersionOption>(tree, _ => surroundings.Output.WriteLine($"{root.Name} {ProgramVersion.Text}"));
        var parsed = tree.Root.Parse(arguments, _parser);
        if (parsed.Action is PrintAction || tree.Root.Directives.Any(directive => parsed.GetResult(directive) is not null))
        {
            return await parsed.InvokeAsync(Invocation(surroundings), cancellation).ConfigureAwait(false);
        }

        var problems = new List<string>();
        var typed = CommandLineValues.Of(tree, parsed, arguments);
        problems.AddRange(typed.Problems);
        var layers = SettingsReader.Read(surroundings.SettingsFiles, surroundings.Environment, problems);
        problems.AddRange(UnknownSettings.In(layers, [.. root.WithVerbs().SelectMany(command => command.Options)]));
        var path = PathTo(tree, parsed);
        var prepared = path[^1].Prepare(typed.Values, layers, surroundings, problems);
        return problems.Count > 0
            ? Refuse(problems, path, surroundings.Error)
            : await Run(prepared, surroundings.Error, cancellation).ConfigureAwait(false);
    }

    private async Task<int> Run(PreparedCommand prepared, TextWriter error, CancellationToken cancellation)
    {
        try
        {
            return await prepared.Run(cancellation).ConfigureAwait(false);
        }
        catch (ConfigurationException failure)
        {
            WriteAll(failure.Problems, error);
            return WrongUsage;
        }
#pragma warning disable CA1031 // The last place where a fault can be told as one line instead of a crash.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            var expected = exitCodeOf?.Invoke(failure);
            error.WriteLine(prepared.IsVerbose
                ? failure.ToString()
                : expected is null
                    ? $"{root.Name}: a fault of our own: {OneLine(failure)} (--verbose tells where)"
                    : OneLine(failure));
            return expected ?? Fault;
        }
    }

    private static int Refuse(List<string> problems, IReadOnlyList<ServiceCommand> path, TextWriter error)
    {
        WriteAll(problems.Distinct(), error);
        error.WriteLine($"See {string.Join(' ', path.Select(command => command.Name))} --help");
        return WrongUsage;
    }

    private static void WriteAll(IEnumerable<string> problems, TextWriter error)
    {
        foreach (var problem in problems)
        {
            error.WriteLine(problem);
        }
    }

    private static string OneLine(Exception failure) =>
        $"{failure.GetType().Name}: {failure.Message.ReplaceLineEndings(" ")}";

    private static InvocationConfiguration Invocation(CommandSurroundings surroundings) => new()
    {
        Output = surroundings.Output,
        Error = surroundings.Error,
        ProcessTerminationTimeout = null,
        EnableDefaultExceptionHandler = false,
    };

    private static void Answer<TOption>(CommandTree tree, Action<ParseResult> print)
        where TOption : Option =>
        tree.Root.Options.OfType<TOption>().Single().Action = new PrintAction(print);

    private static List<ServiceCommand> PathTo(CommandTree tree, ParseResult parsed)
    {
        var path = new List<ServiceCommand>();
        for (var level = parsed.CommandResult; level is not null; level = level.Parent as System.CommandLine.Parsing.CommandResult)
        {
            path.Insert(0, tree.ServiceOf(level.Command));
        }

        return path;
    }
}
