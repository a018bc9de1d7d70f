using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Options;

/// <summary>
/// What a command is for: on one screen (examples to copy, usage, the options that matter), or whole (all options by
/// group with default and range, their variables, exit codes).
/// </summary>
/// <param name="path">The command, after those that lead to it.</param>
/// <param name="surroundings">The name of the program, where the text goes, and how wide it may be.</param>
internal sealed class HelpText(IReadOnlyList<ServiceCommand> path, CommandSurroundings surroundings)
{
    private const int OptionColumn = 30;
    private const int VerbColumn = 18;
    private const int CodeColumn = 12;
    private const int BriefExamples = 3;
    private const int BriefOptions = 10;
    private const int Narrowest = 60;
    private const int Widest = 120;

    private static readonly string[] BriefEnds = ["; ", ": "];

    private readonly ServiceCommand _command = path[^1];
    private readonly TextWriter _output = surroundings.Output;
    private readonly int _width = Math.Clamp(surroundings.Columns, Narrowest, Widest);

    /// <summary>What is typed for the command.</summary>
    public string Name => NameOf(path.Count);

    /// <summary>One screen.</summary>
    public void WriteBrief()
    {
        WriteTop(BriefExamples);
        WriteArguments(_command.Options.Where(option => option.IsArgument));
        var options = CommonOptions();
        if (options.Count > 0)
            WriteHeading("Options");
        foreach (var option in options)
            WriteBrief(option);
        WriteVerbs();
        _output.WriteLine();
        var all = options.Count > 0 ? "All options" : "Values and exit codes";
        var one = _command.Verbs.Count > 0 ? $" One verb or option: {Name} help WORD." : "";
        WriteColumns(0, "", $"{all}: {Name} --help.{one}");
    }

    public void WriteAll()
    {
        WriteTop(_command.Examples.Count);
        WriteArguments(WordsOf(_command));
        var options = _command.Options.Where(option => !option.IsArgument).ToArray();
        foreach (var group in options.GroupBy(option => option.Group))
        {
            WriteHeading(group.Key);
            foreach (var option in group)
                Write(option);
        }

        WriteVerbs();
        WriteHeading("Other");
        WriteColumns(OptionColumn, "      --config FILE", "A file of settings, JSON; no other is read");
        WriteColumns(OptionColumn, "  @FILE.rsp", "Options from a file, one per line; # begins a comment");
        WriteColumns(OptionColumn, "  -h", "Help on one screen");
        WriteColumns(OptionColumn, "      --help", "This help");
        if (path.Count == 1)
            WriteColumns(OptionColumn, "      --version", "The version, its commit and the runtime");

        WriteSources();
        WriteVariables(options);
        WriteHeading("Exit codes");
        foreach (var (code, meaning) in ExitCodeTable.Rows)
            WriteColumns(CodeColumn, $"  {code}", meaning);
    }

    /// <summary>Everything about one option.</summary>
    public void WriteOption(OptionDescription option)
    {
        Write(option);
        if (option.EnvironmentName is { } variable)
            WriteColumns(OptionColumn, "", $"Variable: {variable}");
        WriteColumns(OptionColumn, "", $"Taken by: {Name}");
    }

    // Of a verb that names none: those of the command above it that it has too, or else its first ones.
    private List<OptionDescription> CommonOptions()
    {
        var all = _command.Options.Where(option => !option.IsArgument).ToList();
        if (_command.Common.Count == 0 && all.Count <= BriefOptions)
            return all;
        var named = path.Reverse().Select(part => part.Common).FirstOrDefault(common => common.Count > 0) ?? [];
        var common = named.Select(name => all.Find(option => option.Name == name)).OfType<OptionDescription>().ToList();
        return common.Count > 0 ? common : [.. all.Take(BriefOptions)];
    }

    private string NameOf(int words) =>
        string.Join(' ', path.Take(words).Skip(1).Select(part => part.Name)
            .Prepend(surroundings.Program ?? path[0].Name));

    private void WriteTop(int examples)
    {
        WriteColumns(0, "", _command.Purpose);
        _output.WriteLine();
        if (_command.Examples.Count > 0)
        {
            var program = NameOf(path.ToList().FindLastIndex(part => part.IsProgram) + 1);
            _output.WriteLine("Examples:");
            foreach (var example in _command.Examples.Take(examples))
            {
                WriteColumns(4, "  #", example.Purpose);
                _output.WriteLine($"  {program} {example.Command}".TrimEnd());
            }

            _output.WriteLine();
        }

        WriteColumns(7, "Usage:", UsageOf());
    }

    private string UsageOf()
    {
        var arguments = WordsOf(_command).Select(Shape);
        var verb = _command.Verbs.Count > 0 ? " [VERB]" : "";
        return string.Join(' ', arguments.Prepend($"{Name}{verb} [OPTIONS]"));
    }

    /// <summary>What stands in a place of its own: arguments, then servers.</summary>
    public static IEnumerable<OptionDescription> WordsOf(ServiceCommand command) =>
        command.Options.Where(option => option.IsArgument)
            .Concat(command.Options.Where(option => option.Word is not null));

    /// <summary>A word as the usage has it: <c>[SERVER...]</c>.</summary>
    public static string Shape(OptionDescription argument)
    {
        var name = argument.Word ?? argument.Name;
        name = argument.IsRepeatable ? $"{name}..." : name;
        return argument.IsRequired ? name : $"[{name}]";
    }

    // A set of words is told below the option: it is too wide to stand beside the name.
    private static string Label(OptionDescription option)
    {
        var placeholder = option.IsFlag ? "" : option.Choices.Count > 0 ? " CHOICE" : $" {option.Placeholder}";
        var alias = option.Aliases.Count > 0 ? $"{string.Join(", ", option.Aliases)}, " : "    ";
        return $"  {alias}{option.Name}{placeholder}";
    }

    private void Write(OptionDescription option)
    {
        WriteColumns(OptionColumn, Label(option), option.Help);
        WriteColumns(OptionColumn, "", ValuesOf(option));
    }

    private void WriteBrief(OptionDescription option)
    {
        var standard = option.IsFlag || option.Default is null ? "" : $" [{option.Default}]";
        WriteColumns(OptionColumn, Label(option), option.Help.Split(BriefEnds, StringSplitOptions.None)[0] + standard);
    }

    private static string ValuesOf(OptionDescription option)
    {
        string?[] parts =
        [
            option.IsRepeatable ? "repeatable" : null,
            option.Choices.Count > 0 ? string.Join(", ", option.Choices) : option.Limits,
            option.IsFlag || option.Default is null ? null : $"default: {option.Default}",
        ];
        var text = string.Join("; ", parts.OfType<string>());
        return text.Length == 0 ? "" : $"[{text}]";
    }

    private void WriteArguments(IEnumerable<OptionDescription> words)
    {
        OptionDescription[] arguments = [.. words];
        if (arguments.Length == 0)
            return;

        WriteHeading("Arguments");
        foreach (var argument in arguments)
        {
            WriteColumns(OptionColumn, $"  {Shape(argument)}",
                argument.IsArgument ? argument.Help : $"HOST, HOST:PORT or a URI; short for {argument.Name}");
        }
    }

    private void WriteVerbs()
    {
        if (_command.Verbs.Count == 0)
            return;

        WriteHeading("Verbs");
        foreach (var verb in _command.Verbs)
        {
            var words = verb.Options.Where(option => option.IsArgument).Select(Shape).Prepend(verb.Name);
            WriteColumns(VerbColumn, $"  {string.Join(' ', words)}", verb.Purpose);
        }

        WriteColumns(VerbColumn, "  help WORD", "Explains a verb or an option.");
        WriteColumns(VerbColumn, "  config show", "Prints the value of each option, and its origin.");
    }

    private void WriteSources()
    {
        var url = _command.Options.Any(option => option.ConfigurationKey == SettingsReader.UrlKey)
            ? $"the variable {SettingsReader.UrlVariable}, " : string.Empty;
        WriteHeading("Values");
        WriteColumns(2, "", "Numbers: 1000, 10k, 2.6m. Durations: 500ms, 2s, 1m30s. Sizes: 512B, 1KiB, 1MiB.");
        WriteColumns(2, "",
            "The first of these that has a value wins: the command line, the environment, the file of --config, "
            + $"{url}the default. The variable "
            + $"{OptionDescription.EnvironmentPrefix}A__B is A:B in a file. For several values of a repeatable option, "
            + "add __0, __1 and so on to its variable.");
    }

    private void WriteVariables(OptionDescription[] options)
    {
        if (options.All(option => option.EnvironmentName is null))
            return;

        WriteHeading("Environment");
        foreach (var option in options)
            WriteColumns(OptionColumn, $"  {option.Name}", option.EnvironmentName ?? "");
    }

    private void WriteHeading(string heading)
    {
        _output.WriteLine();
        _output.WriteLine($"{heading}:");
    }

    private void WriteColumns(int column, string left, string text) =>
        ColumnText.Write(_output, _width, column, left, text);
}

/// <summary>A text beside or below its label, wrapped between words, its lines aligned.</summary>
internal static class ColumnText
{
    /// <summary>Writes the label and the text from a column on; nothing where both are empty.</summary>
    public static void Write(TextWriter output, int width, int column, string label, string text)
    {
        if (label.Length > 0 && label.Length + 1 > column && text.Length > 0)
        {
            output.WriteLine(label);
            label = "";
        }

        foreach (var line in WordWrap.Lines(text, width - column))
        {
            if (label.Length + line.Length > 0)
                output.WriteLine(line.Length > 0 ? label.PadRight(column) + line : label);
            label = "";
        }
    }
}

internal static class ExitCodeTable
{
    public static IReadOnlyList<(string Code, string Meaning)> Rows { get; } =
    [
        ("0", "measured, and valid or doubtful"),
        ("1", "an internal error"),
        ("2", "wrong usage or configuration"),
        ("3", "refused before measuring: unreachable, no rights, preflight, no peer"),
        ("4", "measured, but not valid, with the reason; also a threshold that cannot be judged"),
        ("5", "a server was lost while measuring"),
        ("6", "results could not be written"),
        ("99", "a threshold, comparison or verification did not hold"),
        ("130, 143", "stopped by a signal; partial results are saved"),
    ];
}
