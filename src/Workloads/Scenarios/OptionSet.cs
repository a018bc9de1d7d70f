using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Scenarios;

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
