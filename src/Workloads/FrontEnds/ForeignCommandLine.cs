namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Reads a command line by the options of another tool; every problem is told, a line each.</summary>
internal sealed class ForeignCommandLine<TOptions>(ForeignCatalogue<TOptions> catalogue, ForeignSyntax syntax)
{
    private readonly List<string> _problems = [];
    private readonly List<string> _rest = [];

    public IReadOnlyList<string> Problems => _problems;

    /// <summary>The words that are no options.</summary>
    public IReadOnlyList<string> Rest => _rest;

    /// <summary>The options that were given, by the name that documents use.</summary>
    public HashSet<string> Given { get; } = [];

    public void Read(TOptions options, IReadOnlyList<string> words)
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
                if (syntax != ForeignSyntax.Plain && word != "--")
                    continue;
                _rest.AddRange(words.Skip(at + 1));
                return;
            }

            var (option, value) = Find(word);
            if (option is null)
                continue;
            if (option.HasValue && value is null)
            {
                if (++at == words.Count)
                {
                    _problems.Add($"{word} needs a value: {word} {option.Placeholder}");
                    return;
                }

                value = words[at];
            }

            Take(options, option, word, value);
        }
    }

    private void Take(TOptions options, ForeignOption<TOptions> option, string word, string? value)
    {
        Given.Add(option.Names[0]);
        if (option.IsRefused)
            _problems.Add($"{option.Names[0]} cannot be honoured: {option.Remark}");
        else if (option.Take!(options, value ?? string.Empty) is { } problem)
            _problems.Add($"{word.Split('=')[0]} {value}: {problem}");
    }

    private (ForeignOption<TOptions>? Option, string? Value) Find(string word)
    {
        if (catalogue.Options.FirstOrDefault(option => option.Names.Contains(word)) is { } whole)
            return (whole, null);
        if (syntax == ForeignSyntax.Getopt)
        {
            var isLong = word.StartsWith("--", StringComparison.Ordinal);
            var equals = isLong ? word.IndexOf('=', StringComparison.Ordinal) : -1;
            var name = equals > 0 ? word[..equals] : isLong ? word : word[..2];
            var value = equals > 0 ? word[(equals + 1)..] : isLong ? null : word[2..];
            var found = Named(name);
            if (found.Count > 1)
            {
                _problems.Add($"{name} is ambiguous: {string.Join(", ", found.Select(option => option.Names[0]))}");
                return default;
            }

            if (found is [var option] && (option.HasValue || value is null))
                return (option, value);
        }

        _problems.Add($"Invalid option \"{word}\"");
        return default;
    }

    private List<ForeignOption<TOptions>> Named(string name)
    {
        if (catalogue.Options.FirstOrDefault(option => option.Names.Contains(name)) is { } exact)
            return [exact];
        return name.StartsWith("--", StringComparison.Ordinal)
            ? [.. catalogue.Options.Where(option => option.Names.Any(known =>
                known.StartsWith(name, StringComparison.Ordinal)))]
            : [];
    }
}
