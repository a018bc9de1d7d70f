namespace RedisLatency.Workloads.Scenarios;

/// <summary>Reads <c>sweep</c>: lists of values of some options; several lists mean every combination.</summary>
internal static class SweepReader
{
    /// <summary>The last list's values change first; one empty set where nothing is swept.</summary>
    public static IReadOnlyList<OptionSet> Read(Dictionary<string, ScenarioElement> fields, OptionSet options)
    {
        IReadOnlyList<OptionSet> combinations = [OptionSet.None];
        if (!fields.TryGetValue("sweep", out var sweep))
            return combinations;
        foreach (var (name, values) in sweep.Fields(ScenarioForm.Swept, []))
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
}
