namespace RedisLatency.Hosting.Options;

/// <summary>Fills the options of a command: default, then files, then environment, then command line.</summary>
internal sealed class OptionBinder(
    IReadOnlyList<SettingsLayer> layers, IReadOnlyDictionary<string, IReadOnlyList<string>> commandLine)
{
    /// <summary>Collects every problem, one line each.</summary>
    public BoundOptions<TOptions> Bind<TOptions>(OptionCatalogue<TOptions> catalogue, ICollection<string> problems)
        where TOptions : class, new()
    {
        var options = new TOptions();
        var effective = new List<EffectiveOption>();
        var wrong = new HashSet<string>(StringComparer.Ordinal);
        foreach (var option in catalogue.Offered())
        {
            var given = Find(option.Description);
            foreach (var problem in Set(option, options, given))
            {
                wrong.Add(option.Description.Name);
                problems.Add(problem);
            }

            effective.Add(Describe(option, options, given));
        }

        foreach (var rule in catalogue.Rules.Where(rule => !rule.Names.Any(wrong.Contains)))
        {
            if (rule.Problem(options) is { } problem)
                problems.Add($"{string.Join(", ", rule.Names)}: {problem}{OriginsOf(rule.Names, catalogue)}");
        }

        return new BoundOptions<TOptions>(options, effective);
    }

    private IReadOnlyList<Setting> Find(OptionDescription option)
    {
        if (commandLine.TryGetValue(option.Name, out var texts))
            return [.. texts.Select(text => new Setting(text, OptionOrigin.CommandLine))];
        return option.ConfigurationKey is { } key
            ? layers.Reverse().Select(layer => layer.Find(key, option.RefusesEmpty))
                .FirstOrDefault(found => found.Count > 0) ?? []
            : [];
    }

    private static IEnumerable<string> Set<TOptions>(
        ServiceOption<TOptions> option, TOptions options, IReadOnlyList<Setting> given)
    {
        var description = option.Description;
        if (given.Count == 0)
            return description.IsRequired ? [$"{description.Name} is missing: {description.Help}"] : [];
        if (given.Count > 1 && !description.IsRepeatable)
        {
            var values = string.Join(" and ", given.Select(setting => description.Masked(setting.Text)));
            return [$"{description.Name} is given {given.Count} times: {values}{given[0].Origin.Suffix}"];
        }

        return option.Set(options, [.. given.Select(setting => setting.Text)]).Select(problem =>
            $"{description.Name} {description.Masked(problem.Text)}: {problem.Problem}"
            + given.First(setting => setting.Text == problem.Text).Origin.Suffix);
    }

    private static EffectiveOption Describe<TOptions>(
        ServiceOption<TOptions> option, TOptions options, IReadOnlyList<Setting> given)
    {
        var description = option.Description;
        string[] values = [.. option.Write(options).Select(description.Masked)];
        var text = values.Length == 0 ? description.Default ?? "none" : string.Join(' ', values);
        var origin = given.Count == 0 ? OptionOrigin.Default : given[0].Origin;
        return new(description.Name, text, origin.Source) { Values = values };
    }

    private string OriginsOf<TOptions>(IReadOnlyList<string> names, OptionCatalogue<TOptions> catalogue)
        where TOptions : class, new()
    {
        var phrases = catalogue.Options
            .Where(option => names.Contains(option.Description.Name))
            .SelectMany(option => Find(option.Description).Take(1))
            .Select(setting => setting.Origin.Phrase)
            .OfType<string>()
            .ToArray();
        return phrases.Length == 0 ? "" : $" ({string.Join("; ", phrases)})";
    }
}
