using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Scenarios;

internal static class ScenarioLibrary
{
    private const string Suffix = ".json";

    private static readonly string Prefix = $"{typeof(ScenarioLibrary).Namespace}.BuiltIn.";

    public static IReadOnlyList<string> Names { get; } =
    [
        .. typeof(ScenarioLibrary).Assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal))
            .Select(name => name[Prefix.Length..^Suffix.Length])
            .Order(StringComparer.Ordinal),
    ];

    public static Scenario Find(string nameOrFile)
    {
        if (nameOrFile.Any(char.IsControl))
            throw new ConfigurationException("scenario: its name or file must not have control characters in it");
        return Names.Contains(nameOrFile)
            ? BuiltIn(nameOrFile)
            : ScenarioReader.Read(Path.GetFileName(nameOrFile), ReadFile(nameOrFile));
    }

    public static void WriteList(TextWriter output)
    {
        output.WriteLine("Built-in scenarios; `scenario NAME` runs one, `scenario FILE` one of your own:");
        foreach (var scenario in Names.Select(Find))
        {
            output.WriteLine();
            var phases = scenario.Phases.Count;
            output.WriteLine($"{scenario.Name}, {Quantity.Count(phases)} phase{(phases == 1 ? string.Empty : "s")}");
            var description = scenario.Description ?? string.Empty;
            string[] paragraphs =
                scenario.Source is { } source ? [description, $"Published by: {source}"] : [description];
            foreach (var line in paragraphs.SelectMany(text => WordWrap.Lines(text, Pages.UsualWidth - 4)))
                output.WriteLine($"  {line}");
        }
    }

    internal static byte[] TextOf(string name)
    {
        using var stream = typeof(ScenarioLibrary).Assembly.GetManifestResourceStream(Prefix + name + Suffix)!;
        var bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }

    private static Scenario BuiltIn(string name) => ScenarioReader.Read(name, TextOf(name));

    private static byte[] ReadFile(string file)
    {
        try
        {
            return SmallFile.Read(file);
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            var near = NearestName.Of(file, Names) is { } name ? $"; did you mean {name}?" : string.Empty;
            throw new ConfigurationException(
                $"scenario {file}: there is no such file, and built in are {string.Join(", ", Names)}{near}");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ConfigurationException($"scenario {file}: {failure.Message}");
        }
    }
}
