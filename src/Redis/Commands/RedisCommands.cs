using System.Collections.Concurrent;

namespace RedisLatency.Redis.Commands;

/// <summary>
/// The table of commands, <c>commands.txt</c>: Redis 8 and Valkey 9. A line is read at its first use; for plans, not
/// for the measured loop.
/// </summary>
public static class RedisCommands
{
    private static readonly string Text = ReadText();
    private static readonly ConcurrentDictionary<string, RedisCommand> Found = new(StringComparer.OrdinalIgnoreCase);

    private static readonly Lazy<IReadOnlyList<RedisCommand>> Table = new(() =>
    [
        .. Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(line => line[0] != '#')
            .Select(line => Found.GetOrAdd(line[..line.IndexOf(' ')], _ => new RedisCommand(line))),
    ]);

    private static readonly Lazy<HashSet<string>> Dangerous = new(() => new HashSet<string>(
        All.Where(command => (command.Flags & (CommandFlags.Admin | CommandFlags.Dangerous | CommandFlags.Code)) != 0)
            .Select(command => command.Name.Split('|')[0]),
        StringComparer.OrdinalIgnoreCase));

    /// <summary>All, in the order of their names.</summary>
    public static IReadOnlyCollection<RedisCommand> All => Table.Value;

    /// <summary>The command of a name, in any case; null where the table has none.</summary>
    public static RedisCommand? Find(string name)
    {
        if (Found.TryGetValue(name, out var known))
            return known;
        // As a word of its own at the start of a line; nobody else's names hold a space or a line's end.
        var at = name.Contains(' ') || name.Contains('\n')
            ? -1
            : Text.IndexOf($"\n{name} ", StringComparison.OrdinalIgnoreCase);
        if (at < 0 || name is "" or "#")
            return null;
        var line = Text[(at + 1)..Text.IndexOf('\n', at + 1)];
        return Found.GetOrAdd(line[..name.Length], _ => new RedisCommand(line));
    }

    /// <summary>Whether it is known, and all of these are true of it.</summary>
    public static bool Has(string name, CommandFlags flags) => Find(name)?.Has(flags) == true;

    /// <summary>The names of those of which all of these are true, as INFO commandstats has them.</summary>
    public static IEnumerable<string> NamesOf(CommandFlags flags) =>
        All.Where(command => command.Has(flags)).Select(command => command.Name.ToLowerInvariant());

    /// <summary>Whether it, or a subcommand of it, is for administrators, @dangerous, or about code.</summary>
    public static bool IsDangerous(string name) => Dangerous.Value.Contains(name);

    /// <summary>The command, or subcommand, that these words are; null where the table has none.</summary>
    public static RedisCommand? Find(IReadOnlyList<string> words) =>
        (words.Count > 1 ? Find($"{words[0]}|{words[1]}") : null) ?? Find(words[0]);

    private static string ReadText()
    {
        using var stream = typeof(RedisCommands).Assembly.GetManifestResourceStream("commands.txt")!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
