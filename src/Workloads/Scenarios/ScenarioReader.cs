using System.Globalization;
using System.Text.Json;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Scenarios;

/// <summary>Reads a scenario file; everything that is wrong in it is told at once, each with its JSON path.</summary>
internal static class ScenarioReader
{
    public const string Load = "load";
    public const string Run = "run";

    private const int MostPhases = 10_000;

    private static readonly ValueSyntax<TimeSpan> Pause = Syntax.Duration(most: TimeSpan.FromDays(7));

    // The fields of a scenario file; docs/scenario.schema.json describes them.
    public static IReadOnlyList<string> OfScenario { get; } =
        ["$schema", "name", "description", "source", "options", "sweep", "phases"];

    public static IReadOnlyList<string> OfPhase { get; } =
        ["name", "group", "verb", "pause", "options", "sweep", "published"];

    public static IReadOnlyList<string> OfPublished { get; } =
        ["category", "operation", "qps", "averageUs", "p99Us", "when"];

    public static IReadOnlyList<string> Swept { get; } =
        ["threads", "connections", "clients", "pipeline", "value-size", "rate"];

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
            problems.Add(JsonErrors.Of(failure, utf8Json.Span));
        }

        return problems.Count == 0
            ? scenario!
            : throw new ConfigurationException([.. problems.Distinct().Select(problem => $"{source}: {problem}")]);
    }

    private static Scenario Read(ScenarioElement root)
    {
        var fields = root.Fields(OfScenario, ["name", "phases"]);
        var name = Name(fields, "name") ?? string.Empty;
        var options = OptionSet.Read(fields, "options");
        options.RequireKnown(PhaseCatalogue.ForScenario(isLoad: false));
        var elements = fields.TryGetValue("phases", out var list) ? list.Items() : [];
        var phases = new List<PhasePlan>();
        var count = root.Combinations("sweep") * elements.Sum(element => element.Combinations("sweep"));
        if (count > MostPhases)
        {
            root.Note(string.Create(
                CultureInfo.InvariantCulture,
                $"the sweeps make {count:N0} phases of it; {MostPhases:N0} are the most"));
            return new Scenario { Name = name, Phases = phases };
        }

        foreach (var values in ReadSweep(fields, options))
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

    private static List<PhasePlan> ReadPhase(ScenarioElement element, OptionSet common, OptionSet swept)
    {
        var fields = element.Fields(OfPhase, ["name"]);
        var name = Name(fields, "name") ?? string.Empty;
        var group = Name(fields, "group");
        var isLoad = IsLoad(fields);
        var own = OptionSet.Read(fields, "options");
        var catalogue = PhaseCatalogue.ForScenario(isLoad);
        own.RequireKnown(catalogue);
        foreach (var twice in own.Names.Where(swept.Names.Contains))
            own.Note(twice, "it is swept over too");
        var phases = new List<PhasePlan>();
        foreach (var values in ReadSweep(fields, own))
        {
            var options = new PhaseOptions();
            var texts = common.KnownTo(catalogue).And(own).And(values);
            texts.Apply(catalogue, options, element);
            phases.Add(new PhasePlan(string.Join(", ", new[] { name }.Concat(values.Words)), isLoad, options)
            {
                Group = swept.IsEmpty ? group : string.Join(", ", new[] { group }.OfType<string>().Concat(swept.Words)),
                Pause = ReadPause(fields),
                Given = texts.ToTexts(),
                Published = ReadPublished(fields, swept.And(values)),
            });
        }

        return phases;
    }

    private static bool IsLoad(Dictionary<string, ScenarioElement> fields)
    {
        if (!fields.TryGetValue("verb", out var element))
            return false;
        var verb = element.Text();
        if (verb is not (null or Load or Run))
            element.Note($"{verb}: one of {Load}, {Run} is needed");
        return verb == Load;
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

    // Every combination of the values of sweep, the last list's changing first; one empty set where nothing is
    // swept.
    private static List<OptionSet> ReadSweep(Dictionary<string, ScenarioElement> fields, OptionSet options)
    {
        List<OptionSet> combinations = [OptionSet.None];
        if (!fields.TryGetValue("sweep", out var sweep))
            return combinations;
        foreach (var (name, values) in sweep.Fields(Swept, []))
        {
            if (options.Names.Contains(name))
                options.Note(name, "it is swept over too");
            var sets = values.Items()
                .Select(value => value.OptionText() is { } text ? OptionSet.Of(name, text, value) : null)
                .OfType<OptionSet>()
                .ToList();
            if (sets.Count > 0)
                combinations = [.. combinations.SelectMany(before => sets.Select(before.And))];
        }

        return combinations;
    }

    /// <summary>The figures that others had for a phase, or for one value of its sweep.</summary>
    private static List<PublishedFigure> ReadPublished(Dictionary<string, ScenarioElement> fields, OptionSet swept)
    {
        if (!fields.TryGetValue("published", out var list))
            return [];
        var texts = swept.ToTexts();
        var figures = new List<PublishedFigure>();
        foreach (var item in list.Items())
        {
            var figure = item.Fields(OfPublished, []);
            var isMeant = true;
            if (figure.TryGetValue("when", out var when))
            {
                foreach (var (name, value) in when.Fields(Swept, []))
                {
                    if (!texts.TryGetValue(name, out var text))
                        value.Note("nothing sweeps over it");
                    isMeant &= value.OptionText() == text;
                }
            }

            var read = new PublishedFigure
            {
                Category = Text(figure, "category"),
                Operation = Text(figure, "operation"),
                Qps = Number(figure, "qps"),
                AverageUs = Number(figure, "averageUs"),
                P99Us = Number(figure, "p99Us"),
            };
            if (read is { Qps: null, AverageUs: null, P99Us: null })
                item.Note("qps, averageUs or p99Us is needed");
            if (isMeant)
                figures.Add(read);
        }

        return figures;
    }

    private static string? Name(Dictionary<string, ScenarioElement> fields, string name) =>
        fields.TryGetValue(name, out var element) ? element.Name() : null;

    private static string? Text(Dictionary<string, ScenarioElement> fields, string name) =>
        fields.TryGetValue(name, out var element) ? element.Text() : null;

    private static double? Number(Dictionary<string, ScenarioElement> fields, string name) =>
        fields.TryGetValue(name, out var element) ? element.Number() : null;
}

/// <summary>Options as a scenario file has them: texts, each with the place that it came from.</summary>
internal sealed class OptionSet
{
    private readonly Dictionary<string, (IReadOnlyList<string> Texts, ScenarioElement From)> _options;

    private OptionSet(Dictionary<string, (IReadOnlyList<string> Texts, ScenarioElement From)> options) =>
        _options = options;

    public static OptionSet None { get; } = new([]);

    public IReadOnlyCollection<string> Names => _options.Keys;

    public bool IsEmpty => _options.Count == 0;

    /// <summary>The options in words: <c>threads 2</c>.</summary>
    public IEnumerable<string> Words =>
        _options.Select(option => $"{option.Key} {string.Join(' ', option.Value.Texts)}");

    public static OptionSet Read(Dictionary<string, ScenarioElement> fields, string name) =>
        fields.TryGetValue(name, out var element)
            ? new OptionSet(element.Fields([], []).ToDictionary(
                option => option.Key, option => ((IReadOnlyList<string>)option.Value.OptionTexts(), option.Value)))
            : None;

    public static OptionSet Of(string name, string text, ScenarioElement from) =>
        new(new() { [name] = ([text], from) });

    /// <summary>These and others, which win.</summary>
    public OptionSet And(OptionSet others)
    {
        var both = new Dictionary<string, (IReadOnlyList<string>, ScenarioElement)>(_options);
        foreach (var (name, option) in others._options)
            both[name] = option;
        return new OptionSet(both);
    }

    public OptionSet KnownTo(OptionCatalogue<PhaseOptions> catalogue)
    {
        var names = NamesOf(catalogue).ToHashSet();
        return new OptionSet(_options.Where(option => names.Contains(option.Key)).ToDictionary());
    }

    public void RequireKnown(OptionCatalogue<PhaseOptions> catalogue)
    {
        var names = NamesOf(catalogue).ToList();
        foreach (var name in Names.Where(name => !names.Contains(name)))
        {
            var near = NearestName.Of(name, names) is { } nearest ? $"; did you mean {nearest}?" : string.Empty;
            var isOfRuns = NamesOf(PhaseCatalogue.ForScenario(isLoad: false)).Contains(name);
            Note(name, isOfRuns
                ? "it does not apply to a load, which writes every record once"
                : $"there is no such option{near}");
        }
    }

    public void Note(string name, string problem) => _options[name].From.Note(problem);

    public void Apply(OptionCatalogue<PhaseOptions> catalogue, PhaseOptions options, ScenarioElement phase)
    {
        foreach (var problem in catalogue.Set(options, KnownTo(catalogue)._options.ToDictionary(
            option => option.Key, option => option.Value.Texts)))
        {
            var culprits = problem.Names.Where(_options.ContainsKey).ToList();
            var others = string.Join(", ", culprits.Skip(1).Select(name => _options[name].From.Path));
            if (culprits.Count == 0)
                phase.Note($"{string.Join(", ", problem.Names)}: {problem.Problem}");
            else
                Note(culprits[0], others.Length == 0 ? problem.Problem : $"with {others}: {problem.Problem}");
        }
    }

    public IReadOnlyDictionary<string, string> ToTexts() =>
        _options.ToDictionary(option => option.Key, option => string.Join(' ', option.Value.Texts));

    private static IEnumerable<string> NamesOf(OptionCatalogue<PhaseOptions> catalogue) =>
        catalogue.Options.Select(option => option.Description.Name.TrimStart('-'));
}
