using System.Buffers;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>Takes what was typed out of System.CommandLine's result, and says what does not belong there.</summary>
/// <param name="tree">The commands.</param>
/// <param name="parsed">What System.CommandLine made of what was typed.</param>
/// <param name="typed">What was typed.</param>
/// <param name="elsewhere">What a word that is none of this command's means in the program around it.</param>
internal sealed class CommandLineValues(
    CommandTree tree, ParseResult parsed, IReadOnlyList<string> typed, Func<string, string?> elsewhere)
{
    // En dash, em dash and minus.
    private static readonly char[] LongDashes = ['\u2013', '\u2014', '\u2212'];

    private static readonly SearchValues<char> InNoName = SearchValues.Create(".:/@=,");

    private readonly Dictionary<string, IReadOnlyList<string>> _values = new(StringComparer.Ordinal);
    private readonly List<string> _problems = [];
    private readonly ServiceCommand _service = tree.ServiceOf(parsed.CommandResult.Command);

    public IReadOnlyDictionary<string, IReadOnlyList<string>> Values => _values;

    public IReadOnlyList<string> Problems => _problems;

    public void Collect()
    {
        for (var level = parsed.CommandResult; level is not null; level = level.Parent as CommandResult)
        {
            var owner = tree.ServiceOf(level.Command);
            foreach (var option in owner.Options)
            {
                switch (parsed.GetResult(tree.SymbolOf(owner, option)))
                {
                    case OptionResult { Implicit: false } result:
                        TakeOption(owner, option, result);
                        break;
                    case ArgumentResult { Tokens.Count: > 0 } result:
                        TakeArgument(owner, option, result);
                        break;
                }
            }
        }

        var words = new List<string>();
        foreach (var token in parsed.UnmatchedTokens.Where(token => !BelongsToUnknownOption(token)))
        {
            if (FlagGiven(token) is { } flag)
                _problems.Add($"{flag} {token}: true or false is needed");
            else if (IsOption(token) && !IsAfterDoubleDash(token))
                _problems.Add(UnknownOption(token));
            else
                words.Add(token);
        }

        TakeWords(words);

        // What is wrong with values, the catalogue says.
        if (_problems.Count == 0)
        {
            _problems.AddRange(parsed.Errors
                .Where(error => error.SymbolResult is not (OptionResult or ArgumentResult))
                .Select(error => error.Message));
        }
    }

    private void TakeOption(ServiceCommand owner, OptionDescription option, OptionResult result)
    {
        if (owner != _service && !_service.Options.Any(known => known.Name == option.Name))
        {
            _problems.Add($"{option.Name} does not apply to {_service.Name}");
            return;
        }

        string[] texts = [.. result.Tokens.Select(token => token.Value)];
        if (option.IsFlag)
        {
            Add(option.Name, texts.Length == 0 ? ["true"] : texts);
            return;
        }

        if (result.IdentifierTokenCount > texts.Length)
        {
            _problems.Add($"{option.Name} needs a value: {option.Name} {option.Placeholder}");
            return;
        }

        // `--out --quite` would otherwise make a folder of that name.
        foreach (var swallowed in texts.Where(LooksLikeAnOption))
        {
            _problems.Add($"{option.Name} needs a value: {option.Name} {option.Placeholder}");
            _problems.Add(UnknownOption(swallowed));
        }

        Add(option.Name, texts);
    }

    private void TakeArgument(ServiceCommand owner, OptionDescription option, ArgumentResult result)
    {
        if (owner != _service)
        {
            _problems.Add($"{result.Tokens[0].Value} must come after {_service.Name}");
            return;
        }

        var texts = new List<string>();
        foreach (var text in result.Tokens.Select(token => token.Value))
        {
            if (IsOption(text) && !IsNumber(text) && !IsAfterDoubleDash(text))
            {
                _problems.Add(UnknownOption(text));
            }
            else
            {
                texts.Add(text);
            }
        }

        if (texts.Count > 0)
            Add(option.Name, texts);
    }

    private void TakeWords(List<string> words)
    {
        OptionDescription[] servers = [.. _service.Options.Where(option => option.Word is not null)];
        var rest = servers is [.., { IsRepeatable: true } last] ? last : null;
        var named = _values.Keys.ToHashSet();
        foreach (var (at, word) in words.Index())
        {
            // Text of a web page or a word processor has one long dash where two short ones were typed.
            if (word.TrimStart(LongDashes) is var name && name.Length is > 0 and var length && length < word.Length)
            {
                _problems.Add($"unexpected word '{word}': an option begins with two short dashes, --{name}");
                return;
            }

            var server = at < servers.Length ? servers[at] : rest;
            if (server is null || !MayBeServer(word))
            {
                // What comes behind it may be right behind the word that was meant.
                _problems.Add(Unexpected(word, server));
                return;
            }

            if (named.Contains(server.Name))
            {
                _problems.Add($"{server.Name} {string.Join(' ', _values[server.Name].Select(server.Masked))} and the "
                    + $"word {server.Masked(word)}: the word stands for {server.Name}; use only one of them");
                return;
            }

            _values[server.Name] = [.. _values.GetValueOrDefault(server.Name, []), word];
        }
    }

    // A bare name may be a host's, or a mistyped verb; one that begins with a digit is a value without its option.
    private bool MayBeServer(string word) =>
        word.AsSpan().ContainsAny(InNoName)
        || (word is not [>= '0' and <= '9', ..] && NearestVerb(word) is null && elsewhere(word) is null);

    private string? NearestVerb(string word) =>
        NearestName.Of(word, _service.Verbs.Select(verb => verb.Name).Append(ConfigQuestion.Word)) switch
        {
            ConfigQuestion.Word => ConfigQuestion.Whole,
            var near => near,
        };

    // A word too many may be an endpoint, with its password.
    private string Unexpected(string word, OptionDescription? server)
    {
        var hint = NearestVerb(word) is { } verb
            ? $"; did you mean {verb}?" + (server is null ? "" : $" A server of that name is {server.Name} {word}")
            : elsewhere(word) is { } other ? $"; did you mean {other}?"
            : server is not null ? ": a server is HOST, HOST:PORT or redis://HOST:PORT; a value follows its option"
            : WhatIsTaken();
        return $"unexpected word '{(word.Contains('@') ? EndpointSyntax.Mask(word) : word)}'{hint}";
    }

    private string WhatIsTaken()
    {
        if (_service is CommandGroup group)
            return $": a command comes first: {group.Commands}";
        string[] words = [.. HelpText.WordsOf(_service).Select(HelpText.Shape)];
        return words.Length == 0 ? ": only options stand here" : $": the words are {string.Join(' ', words)}";
    }

    private void Add(string name, IReadOnlyList<string> texts) =>
        _values[name] = _values.TryGetValue(name, out var known) ? [.. texts, .. known] : texts;

    private string UnknownOption(string token)
    {
        var name = token.Split('=')[0];
        var known = _service.Options.Where(option => !option.IsArgument).Select(option => option.Name)
            .Append("--help").ToList();
        return ForeignOptions.HintFor(name, ValueOf(token), known) is { } hint
            ? $"unknown option {name}: {hint}"
            : $"unknown option {name}" + (_service is CommandGroup ? WhatIsTaken()
                : NearestName.Question(name, known) is { Length: > 0 } question ? question
                : elsewhere(name) is { } taker ? $": others take it, see {taker}"
                : string.Empty);
    }

    private string? ValueOf(string token) =>
        token.Split('=', 2) is [_, var joined] ? joined : typed.SkipWhile(word => word != token).ElementAtOrDefault(1);

    // The value of a mistyped option is not a second mistake.
    private bool BelongsToUnknownOption(string token) => typed.Zip(typed.Skip(1)).Any(pair =>
        pair.Second == token
        && pair.First.StartsWith('-')
        && pair.First != token
        && parsed.UnmatchedTokens.Contains(pair.First));

    // System.CommandLine takes `--quiet=maybe` apart and leaves `maybe` over.
    private string? FlagGiven(string token) => _service.Options
        .FirstOrDefault(option => option.IsFlag
            && option.Names.Any(name => typed.Contains($"{name}={token}")))?.Name;

    private bool LooksLikeAnOption(string text) =>
        text.StartsWith("--", StringComparison.Ordinal) && typed.Contains(text);

    private static bool IsOption(string text) => text.Length > 1 && text[0] == '-';

    // Its range says what is wrong with it.
    private static bool IsNumber(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _);

    private bool IsAfterDoubleDash(string text)
    {
        var words = typed.ToList();
        var dashes = words.IndexOf("--");
        return dashes >= 0 && words.IndexOf(text, dashes) > dashes;
    }
}
