using RedisLatency.Reports.Output;

namespace RedisLatency.Workloads.Scenarios;

internal static class ScenarioList
{
    public static void Write(TextWriter output)
    {
        output.WriteLine("Built-in scenarios; `scenario NAME` runs one, `scenario FILE` one of your own:");
        foreach (var scenario in ScenarioLibrary.Names.Select(ScenarioLibrary.Find))
        {
            output.WriteLine();
            var phases = scenario.Phases.Count;
            output.WriteLine($"{scenario.Name}, {Quantity.Count(phases)} phase{(phases == 1 ? string.Empty : "s")}");
            foreach (var line in Wrapped(scenario.Description ?? string.Empty))
                output.WriteLine($"  {line}");
            if (scenario.Source is { } source)
            {
                foreach (var line in Wrapped($"Published by: {source}"))
                    output.WriteLine($"  {line}");
            }
        }
    }

    private static IEnumerable<string> Wrapped(string text)
    {
        var line = string.Empty;
        foreach (var word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > TextTable.PageWidth - 4)
            {
                yield return line;
                line = string.Empty;
            }

            line = line.Length == 0 ? word : $"{line} {word}";
        }

        yield return line;
    }
}
