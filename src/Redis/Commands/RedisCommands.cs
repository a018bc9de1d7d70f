namespace RedisLatency.Redis.Commands;

/// <summary>
/// The table of commands, <c>commands.txt</c>: Redis 8 and Valkey 9. Made at its first use; for plans, not for the
/// measured loop.
/// </summary>
public static class RedisCommands
{
    private static readonly Dictionary<string, RedisCommand> ByName =
        Read().ToDictionary(command => command.Name, StringComparer.OrdinalIgnoreCase);

    private static readonly HashSet<string> Dangerous = new(
        ByName.Values
            .Where(command => (command.Flags & (CommandFlags.Admin | CommandFlags.Dangerous | CommandFlags.Code)) != 0)
            .Select(command => command.Name.Split('|')[0]),
        StringComparer.OrdinalIgnoreCase);

    /// <summary>All, in the order of their names.</summary>
    public static IReadOnlyCollection<RedisCommand> All => ByName.Values;

    /// <summary>The command of a name, in any case; null where the table has none.</summary>
    public static RedisCommand? Find(string name) => ByName.GetValueOrDefault(name);

    /// <summary>Whether it is known, and all of these are true of it.</summary>
    public static bool Has(string name, CommandFlags flags) => Find(name)?.Has(flags) == true;

    /// <summary>The names of those of which all of these are true, as INFO commandstats has them.</summary>
    public static IEnumerable<string> NamesOf(CommandFlags flags) =>
        All.Where(command => command.Has(flags)).Select(command => command.Name.ToLowerInvariant());

    /// <summary>Whether it, or a subcommand of it, is for administrators, @dangerous, or about code.</summary>
    public static bool IsDangerous(string name) => Dangerous.Contains(name);

    /// <summary>The command, or subcommand, that these words are; null where the table has none.</summary>
    public static RedisCommand? Find(IReadOnlyList<string> words) =>
        (words.Count > 1 ? Find($"{words[0]}|{words[1]}") : null) ?? Find(words[0]);

    private static IEnumerable<RedisCommand> Read()
    {
        using var stream = typeof(RedisCommands).Assembly.GetManifestResourceStream("commands.txt")!;
        using var reader = new StreamReader(stream);
        while (reader.ReadLine() is { } line)
        {
            if (line.Length > 0 && line[0] != '#')
                yield return new RedisCommand(line);
        }
    }
}
