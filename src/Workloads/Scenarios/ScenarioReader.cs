using System.Globalization;
using System.Text.Json;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Scenarios;

/// <summary>Reads a scenario file; everything that is wrong in it is told at once, each with its JSON path.</summary>
internal static class ScenarioReader
{
    private const int MostPhases = 10_000;

    private static readonly ValueSyntax<TimeSpan> Pause = Syntax.Duration(most: TimeSpan.FromDays(7));

    /// <exception cref="ConfigurationException">Something is wrong in it.</exception>
    public static Scenario Read(string source, ReadOnlyMemory<byte> utf8Json)
    {
        var problems = new List<string>();
        Scenario? scenario = null;
        try
        {
            using var document = JsonDocument.Parse(utf8Json, new JsonDocumentOptions
            {
                CommentHandling = JsonCommentHandling.Skip,
                AllowTrailingCommas = true,
            });
            scenario = Read(new ScenarioElement(document.RootElement, "$", problems));
        }
        catch (JsonException failure)
        {
            problems.Add($"not valid JSON: {failure.Message}");
        }

        return problems.Count == 0
            ? scenario!
            : throw new ConfigurationException([.. problems.Distinct().Select(problem => $"{source}: {problem}")]);
    }

    private static Scenario Read(ScenarioElement root)
    {
        var fields = root.Fields(ScenarioForm.OfScenario, ["name", "phases"]);
        var name = Name(fields, "name") ?? string.Empty;
        var options = OptionSet.Read(fields, "options");
        options.RequireKnown(PhaseCatalogue.ForScenario(isLoad: false));
        var elements = fields.TryGetValue("phases", out var list) ? list.Items() : [];
        var phases = new List<ScenarioPhase>();
        var count = root.Combinations("sweep") * elements.Sum(element => element.Combinations("sweep"));
        if (count > MostPhases)
        {
            root.Note(string.Create(
                CultureInfo.InvariantCulture,
                $"the sweeps make {count:N0} phases of it; {MostPhases:N0} are the most"));
            return new Scenario { Name = name, Phases = phases };
        }

        foreach (var values in SweepReader.Read(fields, options))
        {
            foreach (var element in elements)
                phases.AddRange(ReadPhase(element, options.And(values), values));
        }

        return new Scenario
        {
            Name = name,
            Description = Text(fields, "description"),
            Source = Text(fields, "source"),
            Phases = phases,
        };
    }

    private static List<ScenarioPhase> ReadPhase(ScenarioElement element, OptionSet common, OptionSet swept)
    {
        var fields = element.Fields(ScenarioForm.OfPhase, ["name"]);
        var name = Name(fields, "name") ?? string.Empty;
        var group = Name(fields, "group");
        var isLoad = IsLoad(fields);
        var own = OptionSet.Read(fields, "options");
        var catalogue = PhaseCatalogue.ForScenario(isLoad);
        own.RequireKnown(catalogue);
        foreach (var twice in own.Names.Where(swept.Names.Contains))
            own.Note(twice, "it is swept over too");
        var phases = new List<ScenarioPhase>();
        foreach (var values in SweepReader.Read(fields, own))
        {
            var options = new PhaseOptions();
            var texts = common.KnownTo(catalogue).And(own).And(values);
            texts.Apply(catalogue, options, element);
            phases.Add(new ScenarioPhase
            {
                Name = string.Join(", ", new[] { name }.Concat(values.Words)),
                Group = swept.IsEmpty ? group : string.Join(", ", new[] { group }.OfType<string>().Concat(swept.Words)),
                IsLoad = isLoad,
                Pause = ReadPause(fields),
                Options = options,
                Given = texts.ToTexts(),
                Published = PublishedReader.Read(fields, swept.And(values)),
            });
        }

        return phases;
    }

    private static bool IsLoad(Dictionary<string, ScenarioElement> fields)
    {
        if (!fields.TryGetValue("verb", out var element))
            return false;
        var verb = element.Text();
        if (verb is not (null or ScenarioForm.Load or ScenarioForm.Run))
            element.Note($"{verb}: one of {ScenarioForm.Load}, {ScenarioForm.Run} is needed");
        return verb == ScenarioForm.Load;
    }

    private static TimeSpan ReadPause(Dictionary<string, ScenarioElement> fields)
    {
        if (!fields.TryGetValue("pause", out var element) || element.Text() is not { } text)
            return TimeSpan.Zero;
        var pause = Pause.Read(text);
        if (pause.Problem is { } problem)
            element.Note($"{text}: {problem}");
        return pause.Value;
    }

    private static string? Name(Dictionary<string, ScenarioElement> fields, string name) =>
        fields.TryGetValue(name, out var element) ? element.Name() : null;

    private static string? Text(Dictionary<string, ScenarioElement> fields, string name) =>
        fields.TryGetValue(name, out var element) ? element.Text() : null;
}
