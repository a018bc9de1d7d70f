using System.Collections.Frozen;
using System.Text;
using System.Text.RegularExpressions;
using RedisLatency.Sync.Commands;

namespace RedisLatency.Sync.Filters;

/// <summary>
/// Says what passes: as in RedisShake a key must be allowed and not blocked, block beats allow, and commands without
/// keys pass what filters keys. Keys are compared as bytes; expressions see them as Latin 1 or UTF-8. One per shard.
/// </summary>
internal sealed class EntryFilter(FilterOptions options, CommandTable table)
{
    private readonly KeySet _allowed = new(
        options.AllowKeys, options.AllowKeyPrefixes, options.AllowKeySuffixes, options.AllowKeyExpressions);

    private readonly KeySet _blocked = new(
        options.BlockKeys, options.BlockKeyPrefixes, options.BlockKeySuffixes, options.BlockKeyExpressions);

    private readonly FrozenSet<int> _allowedDatabases = options.AllowDatabases.ToFrozenSet();
    private readonly FrozenSet<int> _blockedDatabases = options.BlockDatabases.ToFrozenSet();
    private readonly bool[] _commands = [.. table.All.Select(command => Passes(options, command.Name, command.Group))];

    /// <summary>Of keys that are restored, which count as the command RESTORE.</summary>
    private readonly bool _restores = Passes(options, "RESTORE", "GENERIC");

    public bool HasKeys { get; } = options.FiltersKeys;

    public bool HasDatabases { get; } = options.AllowDatabases.Count + options.BlockDatabases.Count > 0;

    public bool PassesDatabase(int database) =>
        (_allowedDatabases.Count == 0 || _allowedDatabases.Contains(database)) && !_blockedDatabases.Contains(database);

    public bool PassesCommand(CommandSpec command) => command.Number < _commands.Length
        ? _commands[command.Number]
        : Passes(options, command.Name, command.Group);

    public bool PassesUnknown(string name) => Passes(options, name, CommandTable.UnknownGroup);

    public bool PassesRestore => _restores;

    public bool PassesKey(ReadOnlySpan<byte> key) =>
        !HasKeys || ((_allowed.IsEmpty || _allowed.Has(key)) && !_blocked.Has(key));

    private static bool Passes(FilterOptions options, string name, string group) =>
        (options.AllowCommands.Count == 0 || Has(options.AllowCommands, name))
        && !Has(options.BlockCommands, name)
        && (options.AllowGroups.Count == 0 || Has(options.AllowGroups, group))
        && !Has(options.BlockGroups, group);

    private static bool Has(IReadOnlyList<string> names, string name) =>
        names.Contains(name, StringComparer.OrdinalIgnoreCase);
}

/// <summary>Keys by whole name, beginning, end and expression.</summary>
internal sealed class KeySet(
    IReadOnlyList<string> keys, IReadOnlyList<string> prefixes, IReadOnlyList<string> suffixes,
    IReadOnlyList<string> expressions)
{
    private readonly HashSet<string> _keys = [.. keys.Select(AsBytes)];
    private readonly byte[][] _prefixes = [.. prefixes.Select(Encoding.UTF8.GetBytes)];
    private readonly byte[][] _suffixes = [.. suffixes.Select(Encoding.UTF8.GetBytes)];
    private readonly Regex[] _expressions = [.. expressions.Select(Compile)];

    public bool IsEmpty => _keys.Count + _prefixes.Length + _suffixes.Length + _expressions.Length == 0;

    // In time that grows with the key's length alone, and so without what is matched by trying, as Go's in RedisShake.
    public static Regex Compile(string expression) =>
        new(expression, RegexOptions.CultureInvariant | RegexOptions.NonBacktracking);

    public bool Has(ReadOnlySpan<byte> key)
    {
        foreach (var prefix in _prefixes)
        {
            if (key.StartsWith(prefix))
                return true;
        }

        foreach (var suffix in _suffixes)
        {
            if (key.EndsWith(suffix))
                return true;
        }

        return (_keys.Count > 0
                && _keys.GetAlternateLookup<ReadOnlySpan<char>>().Contains(Latin(key, stackalloc char[256])))
            || (_expressions.Length > 0 && Matches(key));
    }

    private bool Matches(ReadOnlySpan<byte> key)
    {
        var text = Encoding.UTF8.GetString(key);
        return _expressions.Any(expression => expression.IsMatch(text));
    }

    // Each byte a letter: a dictionary of texts then compares bytes.
    private static string AsBytes(string key) => Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(key));

    private static ReadOnlySpan<char> Latin(ReadOnlySpan<byte> key, Span<char> room)
    {
        if (key.Length > room.Length)
            room = new char[key.Length];
        return room[..Encoding.Latin1.GetChars(key, room)];
    }
}
