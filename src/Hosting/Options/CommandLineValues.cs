using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>Takes what was typed out of System.CommandLine's result, and says what does not belong there.</summary>
internal sealed class CommandLineValues(CommandTree tree, ParseResult parsed, IReadOnlyList<string> typed)
{
    private readonly Dictionary<string, IReadOnlyList<string>> _values = new(StringComparer.Ordinal);
    private readonly List<string> _problems = [];
    private readonly ServiceCommand _service = tree.ServiceOf(parsed.CommandResult.Command);

    public IReadOnlyDictionary<string, IReadOnlyList<string>> Values => _values;

    public IReadOnlyList<string> Problems => _problems;

    public static CommandLineValues Of(CommandTree tree, ParseResult parsed, IReadOnlyList<string> typed)
    {
        var values = new CommandLineValues(tree, parsed, typed);
        values.Collect();
        return values;
    }

    private void Collect()
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

        foreach (var token in parsed.UnmatchedTokens.Where(token => !BelongsToUnknownOption(token)))
        {
            _problems.Add(FlagGiven(token) is { } flag
                ? $"{flag} {token}: true or false is needed"
                : Unknown(token));
        }

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
            _problems.Add(Unknown(swallowed));
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
            if (text.Length > 1 && text[0] == '-' && !IsNumber(text) && !IsAfterDoubleDash(text))
            {
                _problems.Add(Unknown(text));
            }
            else
            {
                texts.Add(text);
            }
        }

        if (texts.Count > 0)
            Add(option.Name, texts);
    }

    private void Add(string name, IReadOnlyList<string> texts) =>
        _values[name] = _values.TryGetValue(name, out var known) ? [.. texts, .. known] : texts;

    private string Unknown(string token)
    {
        var name = token.Split('=')[0];
        var isOption = name.Length > 1 && name[0] == '-';
        var known = isOption
            ? _service.Options.Where(option => !option.IsArgument).Select(option => option.Name).Append("--help")
            : _service.Verbs.Select(verb => verb.Name);
        if (isOption && ForeignOptions.HintFor(name, ValueOf(token), [.. known]) is { } hint)
            return $"unknown option {name}: {hint}";
        var near = NearestName.Question(name, known);
        return isOption ? $"unknown option {name}{near}" : $"unexpected word '{token}'{near}";
    }

    private string? ValueOf(string token) =>
        token.Split('=', 2) is [_, var joined] ? joined : typed.SkipWhile(word => word != token).ElementAtOrDefault(1);

    // The value of a mistyped option is not a second mistake.
    private bool BelongsToUnknownOption(string token)
    {
        var at = typed.ToList().IndexOf(token);
        return at > 0
            && typed[at - 1].StartsWith('-')
            && typed[at - 1] != token
            && parsed.UnmatchedTokens.Contains(typed[at - 1]);
    }

    // System.CommandLine takes `--quiet=maybe` apart and leaves `maybe` over.
    private string? FlagGiven(string token) => _service.Options
        .FirstOrDefault(option => option.IsFlag
            && option.Names.Any(name => typed.Contains($"{name}={token}")))?.Name;

    private bool LooksLikeAnOption(string text) =>
        text.StartsWith("--", StringComparison.Ordinal) && typed.Contains(text);

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
