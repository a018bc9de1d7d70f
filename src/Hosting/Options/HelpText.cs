using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Options;

/// <summary>
/// What a command is for: short (usage, examples to copy, the options that matter), or whole (all options by group
/// with default and range, their variables, exit codes).
/// </summary>
/// <param name="path">The command, after those that lead to it.</param>
/// <param name="surroundings">The name of the program, where the text goes, and how wide it may be.</param>
internal sealed class HelpText(IReadOnlyList<ServiceCommand> path, CommandSurroundings surroundings)
{
    private const int OptionColumn = 30;
    private const int VerbColumn = 18;
    private const int CodeColumn = 12;
    private const int BriefExamples = 3;
    private const int Narrowest = 60;
    private const int Widest = 120;

    private readonly ServiceCommand _command = path[^1];
    private readonly TextWriter _output = surroundings.Output;
    private readonly int _width = Math.Clamp(surroundings.Columns, Narrowest, Widest);

    /// <summary>What is typed for the command.</summary>
    public string Name => NameOf(path.Count);

    public void WriteBrief()
    {
        if (_command.Common.Count == 0)
        {
            WriteAll();
            return;
        }

        WriteTop(BriefExamples);
        WriteHeading("Options");
        foreach (var name in _command.Common)
            WriteBrief(_command.Options.First(option => option.Name == name));
        WriteVerbs();
        _output.WriteLine();
        WriteColumns(0, "", $"All options: {Name} --help. One of them, or a verb: {Name} help WORD.");
    }

    public void WriteAll()
    {
        WriteTop(_command.Examples.Count);
        WriteArguments();
        var options = _command.Options.Where(option => !option.IsArgument).ToArray();
        foreach (var group in options.GroupBy(option => option.Group))
        {
            WriteHeading(group.Key);
            foreach (var option in group)
                Write(option);
        }

        WriteVerbs();
        WriteHeading("Other");
        WriteColumns(OptionColumn, "      --config FILE", "One more file of settings, in the form of appsettings.json");
        WriteColumns(OptionColumn, "  @FILE.rsp", "Options from a file, as on the command line; # begins a comment");
        WriteColumns(OptionColumn, "  -h", _command.Common.Count > 0 ? "The options that matter most" : "This help");
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
    public void WriteOne(OptionDescription option)
    {
        Write(option);
        if (option.EnvironmentName is { } variable)
            WriteColumns(OptionColumn, "", $"Variable: {variable}");
        WriteColumns(OptionColumn, "", $"Taken by: {Name}");
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
        var arguments = _command.Options.Where(option => option.IsArgument).Select(Shape);
        var verb = _command.Verbs.Count > 0 ? " [VERB]" : "";
        return string.Join(' ', arguments.Prepend($"{Name}{verb} [OPTIONS]"));
    }

    private static string Shape(OptionDescription argument)
    {
        var name = argument.IsRepeatable ? $"{argument.Name}..." : argument.Name;
        return argument.IsRequired ? name : $"[{name}]";
    }

    // A set of words is told below the option: it is too wide to stand beside the name.
    private static string Label(OptionDescription option)
    {
        var placeholder = option.IsFlag ? "" : option.Choices.Count > 0 ? " CHOICE" : $" {option.Placeholder}";
        var alias = option.Alias is { } shortName ? $"{shortName}, " : "    ";
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
        WriteColumns(OptionColumn, Label(option), option.Help.Split([';', ':'])[0] + standard);
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

    private void WriteArguments()
    {
        var arguments = _command.Options.Where(option => option.IsArgument).ToArray();
        if (arguments.Length == 0)
            return;

        WriteHeading("Arguments");
        foreach (var argument in arguments)
            WriteColumns(OptionColumn, $"  {Shape(argument)}", argument.Help);
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
        WriteColumns(VerbColumn, "  config show", "Prints the value of each option, and where it came from.");
    }

    private void WriteSources()
    {
        var url = _command.Options.Any(option => option.ConfigurationKey == SettingsReader.UrlKey)
            ? $"{SettingsReader.UrlVariable}, that over " : string.Empty;
        WriteHeading("Values");
        WriteColumns(2, "", "Numbers: 1000, 10k, 2.6m. Durations: 500ms, 2s, 1m30s. Sizes: 512B, 1KiB, 1MiB.");
        WriteColumns(2, "",
            "The command line wins over the environment, that over the file of --config, that over appsettings.json "
            + $"(here, then beside the program), that over {url}the default. {OptionDescription.EnvironmentPrefix}A__B "
            + "is A:B in the file. A repeatable option with several values there ends in __0, __1 and so on.");
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
        ("0", "measured and valid"),
        ("1", "a fault of our own"),
        ("2", "wrong usage or configuration"),
        ("3", "refused before measuring: unreachable, no rights, preflight, no peer"),
        ("4", "measured, but not valid, and why; also a threshold on a percentile with too few samples"),
        ("5", "the target was lost while measuring"),
        ("6", "results could not be written"),
        ("99", "a threshold, comparison or verification did not hold"),
        ("130, 143", "stopped by a signal; partial results are saved"),
    ];
}
