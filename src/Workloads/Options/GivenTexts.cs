using RedisLatency.Hosting.Options;

namespace RedisLatency.Workloads.Options;

/// <summary>The options of a phase that somebody gave, as they would be typed.</summary>
internal static class GivenTexts
{
    public static IReadOnlyDictionary<string, string> Of<TOptions>(
        BoundOptions<TOptions> options, OptionCatalogue<PhaseOptions> phase)
    {
        var names = phase.Options.Select(option => option.Description.Name).ToHashSet();
        return options.Effective
            .Where(option => names.Contains(option.Name) && options.IsGiven(option.Name))
            .ToDictionary(option => option.Name.TrimStart('-'), option => option.Value);
    }
}
