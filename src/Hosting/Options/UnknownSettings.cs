using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>Finds settings that nobody reads: a mistyped name must not be silently without effect.</summary>
internal static class UnknownSettings
{
    /// <summary>One line for each setting that is no option of the program, over all its verbs.</summary>
    public static IEnumerable<string> In(
        IEnumerable<SettingsLayer> layers, IReadOnlyCollection<OptionDescription> known)
    {
        var options = known.Where(option => option.ConfigurationKey is not null)
            .DistinctBy(option => option.ConfigurationKey, StringComparer.OrdinalIgnoreCase)
            .ToDictionary(option => option.ConfigurationKey!, StringComparer.OrdinalIgnoreCase);
        var sections = options.Keys.Select(SectionOf).ToHashSet(StringComparer.OrdinalIgnoreCase);
        foreach (var layer in layers)
        {
            if (layer.File is { } file && !layer.Keys.Select(SectionOf).Any(sections.Contains))
            {
                yield return $"{SettingsFile.Option} {file}: it has no section of this program; sections are "
                    + string.Join(", ", sections.Order());
            }

            foreach (var key in layer.Keys)
            {
                if (ProblemWith(key, layer, options, sections) is { } problem)
                    yield return $"{problem}{layer[key].Origin.Suffix}";
            }
        }
    }

    private static string? ProblemWith(
        string key, SettingsLayer layer, Dictionary<string, OptionDescription> options, HashSet<string> sections)
    {
        var section = SectionOf(key);
        if (!sections.Contains(section))
        {
            // Sections of others (Logging, another service) stand in the same file; only a near miss is a mistake.
            return NearestName.Of(section, sections) is { } nearSection
                ? $"{key}: unknown section; did you mean {nearSection}?"
                : null;
        }

        if (options.ContainsKey(key))
            return null;

        var last = key.LastIndexOf(':');
        if (last > 0 && options.TryGetValue(key[..last], out var list))
        {
            return !list.IsRepeatable ? $"{key}: {list.ConfigurationKey} takes one value"
                : !int.TryParse(key[(last + 1)..], out _) ? $"{key}: the elements of a list are numbered from 0"
                : layer.Has(list.ConfigurationKey!) ? $"{key}: {list.ConfigurationKey} is given as one value too"
                : null;
        }

        var siblings = options.Keys
            .Where(known => SectionOf(known).Equals(section, StringComparison.OrdinalIgnoreCase))
            .ToArray();
        var near = NearestName.Of(key, siblings);
        return near is null
            ? $"{key}: unknown setting; {section} has {string.Join(", ", siblings.Select(NameIn).Order())}"
            : $"{key}: unknown setting; did you mean {near}?";
    }

    private static string SectionOf(string key) => key.Split(':')[0];

    private static string NameIn(string key) => key[(key.IndexOf(':', StringComparison.Ordinal) + 1)..];
}
