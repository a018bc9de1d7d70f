using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Options;

/// <summary>
/// A program: reads its command line, files and environment, and runs one of its commands. System.CommandLine only
/// parses: invoked by it, a handler would be cut off two seconds after a signal, and a wrong option would end with 1
/// and the whole help on standard output (3.0.0).
/// </summary>
/// <param name="root">The program; its verbs are further commands.</param>
/// <param name="exitCodeOf">The exit code of an expected failure; null for a fault of our own.</param>
public sealed class CommandLineProgram(ServiceCommand root, Func<Exception, int?>? exitCodeOf = null)
{
    private const string ResponseFileSuffix = ".rsp";

    // `-qv` is not worth a mistyped `-rate` being taken apart.
    private static readonly ParserConfiguration Parser = new()
    {
        ResponseFileTokenReplacer = ReplaceResponseFile,
        EnablePosixBundling = false,
    };

    /// <summary>The program that this one is a word of, by its own name; null where it is started by itself.</summary>
    public string? Within { get; init; }

    /// <summary>What to type instead of a word that this program lacks; null where nobody knows.</summary>
    public Func<string, string?> Elsewhere { get; init; } = _ => null;

    /// <summary>Runs the program with the console and the environment of this process.</summary>
    public Task<int> RunAsync(IReadOnlyList<string> arguments, CancellationToken cancellation = default)
    {
        if (ProcessLimits.WhyTooLow() is not { } problem)
            return RunInProcess(arguments, cancellation);
        new Diagnostics().WriteLine(problem);
        return Task.FromResult(ExitCode.Refused);
    }

    /// <summary>Runs the program.</summary>
    /// <returns>The exit code: that of the command, or 2 for wrong usage, or 1 for a fault.</returns>
    public async Task<int> RunAsync(
        IReadOnlyList<string> arguments, CommandSurroundings surroundings, CancellationToken cancellation = default)
    {
        if (ForeignCommand.In(root, arguments) is { } foreign)
            return await Run(_ => Task.FromResult(foreign(surroundings)), surroundings, cancellation)
                .ConfigureAwait(false);
        var tree = new CommandTree(root);
        if (HelpQuestion.In(root, arguments) is { } question)
            return question.Answer(surroundings, Elsewhere);
        tree.Answer(
            parsed => new HelpText(PathTo(tree, parsed), surroundings).WriteBrief(),
            parsed => new HelpText(PathTo(tree, parsed), surroundings).WriteAll(),
            _ => surroundings.Output.WriteLine(ProgramVersion.Long));
        var isConfigAsked = ConfigQuestion.TakeFrom(root, ref arguments);
        var parsed = tree.Root.Parse(arguments, Parser);
        if (parsed.Action is PrintAction || tree.IsCompletion(parsed))
            return await parsed.InvokeAsync(Invocation(surroundings), cancellation).ConfigureAwait(false);

        bool? isVerbose = null;
        return await Run(
            async stop =>
            {
                var problems = new List<string>();
                var prepared = Prepare(tree, parsed, arguments, surroundings, problems);
                if (problems.Count > 0)
                    return Refuse(problems, new HelpText(PathTo(tree, parsed), surroundings).Name, surroundings.Error);

                if (tree.ServiceOf(parsed.CommandResult.Command) is CommandGroup)
                {
                    new HelpText(PathTo(tree, parsed), surroundings).WriteBrief();
                    return ExitCode.Valid;
                }

                if (isConfigAsked)
                    return ConfigQuestion.Answer(prepared.Effective, surroundings.Output);
                isVerbose = prepared.IsVerbose;
                return await prepared.Run(stop).ConfigureAwait(false);
            },
            surroundings,
            cancellation,
            () => isVerbose).ConfigureAwait(false);
    }

    private async Task<int> Run(
        Func<CancellationToken, Task<int>> step,
        CommandSurroundings surroundings,
        CancellationToken cancellation,
        Func<bool?>? isVerbose = null)
    {
        try
        {
            return await step(cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            return ExitCode.Interrupted;
        }
        catch (ConfigurationException failure)
        {
            WriteAll(failure.Problems, surroundings.Error);
            return ExitCode.Usage;
        }
#pragma warning disable CA1031 // The last place where a fault can be told as one line instead of a crash.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            return Fail(failure, isVerbose?.Invoke(), surroundings.Error);
        }
    }

    private async Task<int> RunInProcess(IReadOnlyList<string> arguments, CancellationToken cancellation)
    {
        var surroundings = CommandSurroundings.OfProcess();
        var program = ProgramName.AsStarted(Within ?? root.Name);
        surroundings = surroundings with { Program = Within is null ? program : $"{program ?? Within} {root.Name}" };
        using var failures = ThreadFailures.GoTo(failure => ProcessEnd.AtOnce(Fail(failure, null, surroundings.Error)));
        return await RunAsync(arguments, surroundings, cancellation).ConfigureAwait(false);
    }

    private PreparedCommand Prepare(
        CommandTree tree,
        ParseResult parsed,
        IReadOnlyList<string> arguments,
        CommandSurroundings surroundings,
        List<string> problems)
    {
        if (SyntheticClock.Problem is { } wrongClock)
            problems.Add(wrongClock);
        var typed = new CommandLineValues(tree, parsed, arguments, Elsewhere);
        typed.Collect();
        problems.AddRange(typed.Problems);
        var before = problems.Count;
        var asked = FilesAskedFor(tree, parsed, problems).ToList();
        var layers = SettingsReader.Read(
            asked,
            surroundings.Environment,
            [.. root.WithVerbs().Select(one => one.ForeignSettings).OfType<ForeignSettings>()],
            problems);
        var isFileWrong = asked.Count > 0 && problems.Count > before;
        var known = root.WithVerbs().SelectMany(command => command.Options).ToList();
        if (known.TrueForAll(option => option.ConfigurationKey != SettingsReader.UrlKey))
            layers = [.. layers.Skip(1)];
        problems.AddRange(UnknownSettings.In(layers, known));
        var command = tree.ServiceOf(parsed.CommandResult.Command);
        // What a file was to give that cannot be used is not missing.
        var prepared = command.Prepare(
            new OptionBinder(layers, typed.Values), surroundings, isFileWrong ? [] : problems);
        if (problems.Count > 0)
            return prepared;
        WarnOfPassword(command, typed.Values, surroundings.Error);
        if (!typed.Values.ContainsKey(OutputCatalogue.Quiet))
            WriteAll(layers.SelectMany(layer => layer.Notes), surroundings.Error);
        return prepared;
    }

    private static IEnumerable<SettingsFile> FilesAskedFor(CommandTree tree, ParseResult parsed, List<string> problems)
    {
        var given = parsed.GetResult(tree.Config);
        var files = given?.Tokens.Select(token => token.Value).ToList() ?? [];
        if (given is { Implicit: false } && files.Count == 0)
            problems.Add($"{SettingsFile.Option} needs a value: {SettingsFile.Option} FILE");
        return files.Select(file => new SettingsFile(Path.GetFullPath(file), file));
    }

    // `@channel` is a value like any other: a response file has a name that says so.
    // It names no others: they could name each other without end.
    private static bool ReplaceResponseFile(
        string token, out IReadOnlyList<string>? replacement, out string? problem)
    {
        (replacement, problem) = (null, null);
        if (!IsResponseFile(token))
            return false;
        try
        {
            replacement =
            [
                .. Encoding.UTF8.GetString(SmallFile.Read(token)).Split('\n').Select(line => line.Trim())
                    .Where(line => line.Length > 0 && line[0] != '#')
                    .SelectMany(CommandLineParser.SplitCommandLine),
            ];
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            problem = File.Exists(token)
                ? $"@{token}: cannot be read: {failure.Message}"
                : $"@{token}: there is no such file";
            return false;
        }

        if (replacement.FirstOrDefault(word => word.StartsWith('@') && IsResponseFile(word)) is not { } other)
            return true;
        problem = $"@{token}: it names {other}, and a response file cannot stand in another";
        return false;
    }

    private static bool IsResponseFile(string token) =>
        token.EndsWith(ResponseFileSuffix, StringComparison.OrdinalIgnoreCase);

    // Once, however many of them there are.
    private static void WarnOfPassword(
        ServiceCommand command, IReadOnlyDictionary<string, IReadOnlyList<string>> typed, TextWriter error)
    {
        if (!typed.ContainsKey(OutputCatalogue.Quiet)
            && command.Options.Any(
                option => typed.TryGetValue(option.Name, out var texts) && texts.Any(option.ShowsSecret)))
        {
            error.WriteLine("warning: a password on the command line is shown to everybody on this machine (ps); "
                + "give it by --password-file, --askpass or the variable REDISCLI_AUTH");
        }
    }

    private int Fail(Exception failure, bool? isVerbose, TextWriter error)
    {
        if (FailureMapping.IsScarcity(failure))
        {
            error.WriteLine($"{root.Name}: {FailureMapping.Scarcity}");
            return ExitCode.Refused;
        }

        var expected = exitCodeOf?.Invoke(failure);
        error.WriteLine(isVerbose is true ? UrlSecrets.Hide(failure.ToString())
            : expected is not null ? Shown(failure.Message)
            : FaultLine(failure, isVerbose));
        return expected ?? ExitCode.Fault;
    }

    private static int Refuse(List<string> problems, string name, TextWriter error)
    {
        WriteAll(problems.Distinct(), error);
        error.WriteLine($"See {name} --help");
        return ExitCode.Usage;
    }

    private static void WriteAll(IEnumerable<string> problems, TextWriter error)
    {
        foreach (var problem in problems)
            error.WriteLine(Shown(problem));
    }

    private static string Shown(string text) => PlainText.Clean(UrlSecrets.Hide(text.ReplaceLineEndings(" ")));

    private string FaultLine(Exception failure, bool? isVerbose) =>
        $"{root.Name}: an internal error: {failure.GetType().Name}: "
        + Shown(failure.Message)
        + (isVerbose is null ? "" : $" ({OutputCatalogue.Verbose} shows where)");

    private static InvocationConfiguration Invocation(CommandSurroundings surroundings) => new()
    {
        Output = surroundings.Output,
        Error = surroundings.Error,
        ProcessTerminationTimeout = null,
        EnableDefaultExceptionHandler = false,
    };

    private static List<ServiceCommand> PathTo(CommandTree tree, ParseResult parsed)
    {
        var path = new List<ServiceCommand>();
        for (var level = parsed.CommandResult; level is not null; level = level.Parent as CommandResult)
            path.Insert(0, tree.ServiceOf(level.Command));

        return path;
    }
}

/// <summary>
/// <c>config show</c> after a program or a verb: the value that each of its options has, and where it came from,
/// instead of a run.
/// </summary>
internal static class ConfigQuestion
{
    /// <summary>Its first word.</summary>
    public const string Word = "config";

    /// <summary>All of it.</summary>
    public const string Whole = $"{Word} show";

    private static readonly string[] Words = Whole.Split(' ');

    /// <summary>Takes the words out of what was typed.</summary>
    /// <returns>Whether they were there.</returns>
    public static bool TakeFrom(ServiceCommand root, ref IReadOnlyList<string> arguments)
    {
        var (command, place) = (root, 0);
        foreach (var word in arguments)
        {
            if (command.Verbs.FirstOrDefault(verb => verb.Name == word) is not { } verb)
                break;
            (command, place) = (verb, place + 1);
        }

        if (!arguments.Skip(place).Take(Words.Length).SequenceEqual(Words))
            return false;
        arguments = [.. arguments.Take(place), .. arguments.Skip(place + Words.Length)];
        return true;
    }

    public static int Answer(IReadOnlyList<EffectiveOption> options, TextWriter output)
    {
        var (names, values) = (options.Max(option => option.Name.Length), options.Max(option => option.Value.Length));
        foreach (var option in options)
        {
            output.WriteLine(PlainText.Clean(
                $"{option.Name.PadRight(names)}  {option.Value.PadRight(Math.Min(values, 40))}  {option.Source}"));
        }

        return ExitCode.Valid;
    }
}
