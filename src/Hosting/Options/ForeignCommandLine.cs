namespace RedisLatency.Hosting.Options;

/// <summary>
/// A command line of another tool, read by the catalogue of its options in their order. One may be given again, and
/// every problem is told, a line each.
/// </summary>
public sealed class ForeignCommandLine<TOptions>
    where TOptions : class, new()
{
    private readonly OptionCatalogue<TOptions> _catalogue;
    private readonly OptionDialect _dialect;
    private readonly List<string> _problems = [];
    private readonly List<string> _rest = [];
    private readonly HashSet<string> _given = [];

    internal ForeignCommandLine(
        OptionCatalogue<TOptions> catalogue, OptionDialect dialect, IReadOnlyList<string> words)
    {
        (_catalogue, _dialect) = (catalogue, dialect);
        Read(words);
    }

    public TOptions Options { get; } = new();

    /// <summary>The words that are no options.</summary>
    public IReadOnlyList<string> Rest => _rest;

    /// <summary>The options that were given, by their first names.</summary>
    public IReadOnlySet<string> Given => _given;

    internal IReadOnlyList<string> Problems => _problems;

    private void Read(IReadOnlyList<string> words)
    {
        if (words.FirstOrDefault(one => one.Contains('\uFFFD', StringComparison.Ordinal)) is { } garbled)
            _problems.Add($"'{garbled}' is not UTF-8: other bytes would be sent than were typed");
        for (var at = 0; at < words.Count; at++)
        {
            var word = words[at];
            if (word == "--" || word.Length < 2 || word[0] != '-')
            {
                if (word != "--")
                    _rest.Add(word);
                if (_dialect != OptionDialect.Plain && word != "--")
                    continue;
                _rest.AddRange(words.Skip(at + 1));
                return;
            }

            var (option, value) = Find(word);
            if (option is null)
                continue;
            if (!option.Description.IsFlag && value is null)
            {
                if (++at == words.Count)
                {
                    _problems.Add($"{word} needs a value: {word} {option.Description.Placeholder}");
                    return;
                }

                value = words[at];
            }

            _given.Add(option.Description.Name);
            if (option.Take(Options, value ?? "true", option.Description.Name, $"{word.Split('=')[0]} {value}")
                is { } problem)
                _problems.Add(problem);
        }
    }

    private (ServiceOption<TOptions>? Option, string? Value) Find(string word)
    {
        if (_catalogue.Options.FirstOrDefault(option => option.Description.Names.Contains(word)) is { } whole)
            return (whole, null);
        if (_dialect == OptionDialect.Getopt)
        {
            var isLong = word.StartsWith("--", StringComparison.Ordinal);
            var equals = isLong ? word.IndexOf('=', StringComparison.Ordinal) : -1;
            var name = equals > 0 ? word[..equals] : isLong ? word : word[..2];
            var value = equals > 0 ? word[(equals + 1)..] : isLong ? null : word[2..];
            var found = Named(name);
            if (found.Count > 1)
            {
                _problems.Add(
                    $"{name} is ambiguous: {string.Join(", ", found.Select(option => option.Description.Name))}");
                return default;
            }

            if (found is [var option] && (!option.Description.IsFlag || value is null))
                return (option, value);
        }

        _problems.Add($"Invalid option \"{word}\"");
        return default;
    }

    private List<ServiceOption<TOptions>> Named(string name)
    {
        if (_catalogue.Options.FirstOrDefault(option => option.Description.Names.Contains(name)) is { } exact)
            return [exact];
        return name.StartsWith("--", StringComparison.Ordinal)
            ? [.. _catalogue.Options.Where(option => option.Description.Names.Any(known =>
                known.StartsWith(name, StringComparison.Ordinal)))]
            : [];
    }
}
