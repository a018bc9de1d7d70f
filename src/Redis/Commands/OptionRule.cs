using System.Globalization;
using System.Text;

namespace RedisLatency.Redis.Commands;

// How the options of a command change its effect; empty for a command without such options.
internal sealed class OptionRule
{
    // Options stand near the name, or behind a value.
    private const int Reach = 8;

    private readonly int _from;
    private readonly (string Name, char Sign)[] _options = [];

    public OptionRule(string text)
    {
        if (text == "-")
            return;
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        _from = int.Parse(text.AsSpan(0, colon), NumberStyles.None, CultureInfo.InvariantCulture);
        _options = [.. text[(colon + 1)..].Split(',').Select(option => (option[..^1], option[^1]))];
    }

    public CommandEffect Of<TWords>(CommandEffect plain, TWords words)
        where TWords : ICommandWords, allows ref struct
    {
        var effect = plain;
        foreach (var (name, sign) in _options)
        {
            if (Has(words, name) == (sign == '+'))
                continue;
            if (sign == '!')
                return CommandEffect.Changes;
            effect = CommandEffect.Conditional;
        }

        return effect;
    }

    private bool Has<TWords>(TWords words, string name)
        where TWords : ICommandWords, allows ref struct
    {
        for (var word = _from; word < words.Count && word < _from + Reach; word++)
        {
            if (Ascii.EqualsIgnoreCase(words[word], name))
                return true;
        }

        return false;
    }
}
