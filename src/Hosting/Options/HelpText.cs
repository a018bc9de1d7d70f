using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Options;

/// <summary>Purpose, examples to copy, options by group with default, range and variable, verbs, exit codes.</summary>
internal static class HelpText
{
    private const int Width = 80;
    private const int OptionColumn = 30;
    private const int VerbColumn = 18;
    private const int CodeColumn = 12;

    public static void Write(IReadOnlyList<ServiceCommand> path, TextWriter output)
    {
        var command = path[^1];
        var name = string.Join(' ', path.Select(part => part.Name));
        WriteColumns(output, 0, "", command.Purpose);
        output.WriteLine();
        WriteExamples(command, path[0].Name, output);
        WriteColumns(output, 7, "Usage:", UsageOf(command, name));
        WriteArguments(command, output);
        foreach (var group in command.Options.Where(option => !option.IsArgument).GroupBy(option => option.Group))
        {
            WriteHeading(output, group.Key);
            foreach (var option in group)
                WriteOption(output, option);
        }

        WriteVerbs(command, output);
        WriteHeading(output, "Other");
        WriteColumns(output, OptionColumn, "  -h, --help", "Show this help");
        if (path.Count == 1)
            WriteColumns(output, OptionColumn, "      --version", "Show the version");

        WriteSources(output);
        WriteHeading(output, "Exit codes");
        foreach (var (code, meaning) in ExitCodeTable.Rows)
            WriteColumns(output, CodeColumn, $"  {code}", meaning);
    }

    private static void WriteExamples(ServiceCommand command, string program, TextWriter output)
    {
        if (command.Examples.Count == 0)
            return;

        output.WriteLine("Examples:");
        foreach (var example in command.Examples)
        {
            WriteColumns(output, 4, "  #", example.Purpose);
            output.WriteLine($"  {program} {example.Command}".TrimEnd());
        }

        output.WriteLine();
    }

    private static string UsageOf(ServiceCommand command, string name)
    {
        var arguments = command.Options.Where(option => option.IsArgument).Select(Shape);
        var verb = command.Verbs.Count > 0 ? " [VERB]" : "";
        return string.Join(' ', arguments.Prepend($"{name}{verb} [OPTIONS]"));
    }

    private static string Shape(OptionDescription argument)
    {
        var name = argument.IsRepeatable ? $"{argument.Name}..." : argument.Name;
        return argument.IsRequired ? name : $"[{name}]";
    }

    private static void WriteOption(TextWriter output, OptionDescription option)
    {
        // A set of words is told below the option: it is too wide to stand beside the name.
        var placeholder = option.IsFlag ? "" : option.Choices.Count > 0 ? " CHOICE" : $" {option.Placeholder}";
        var alias = option.Alias is { } shortName ? $"{shortName}, " : "    ";
        WriteColumns(output, OptionColumn, $"  {alias}{option.Name}{placeholder}", option.Help);
        WriteColumns(output, OptionColumn, "", ValuesOf(option));
        WriteColumns(output, OptionColumn, "", option.EnvironmentName ?? "");
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

    private static void WriteArguments(ServiceCommand command, TextWriter output)
    {
        var arguments = command.Options.Where(option => option.IsArgument).ToArray();
        if (arguments.Length == 0)
            return;

        WriteHeading(output, "Arguments");
        foreach (var argument in arguments)
            WriteColumns(output, OptionColumn, $"  {Shape(argument)}", argument.Help);
    }

    private static void WriteVerbs(ServiceCommand command, TextWriter output)
    {
        if (command.Verbs.Count == 0)
            return;

        WriteHeading(output, "Verbs");
        foreach (var verb in command.Verbs)
        {
            var words = verb.Options.Where(option => option.IsArgument).Select(Shape).Prepend(verb.Name);
            WriteColumns(output, VerbColumn, $"  {string.Join(' ', words)}", verb.Purpose);
        }
    }

    private static void WriteSources(TextWriter output)
    {
        WriteHeading(output, "Values");
        WriteColumns(output, 2, "", "Numbers: 1000, 10k, 2.6m. Durations: 500ms, 2s, 1m30s. Sizes: 512B, 1KiB, 1MiB.");
        WriteColumns(output, 2, "",
            "The command line wins over the environment, that over appsettings.json (here, then beside the program), "
            + $"that over the default. {OptionDescription.EnvironmentPrefix}A__B is A:B in the file. A repeatable "
            + "option with several values there ends in __0, __1 and so on.");
    }

    private static void WriteHeading(TextWriter output, string heading)
    {
        output.WriteLine();
        output.WriteLine($"{heading}:");
    }

    private static void WriteColumns(TextWriter output, int column, string left, string text) =>
        ColumnText.Write(output, Width, column, left, text);
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
