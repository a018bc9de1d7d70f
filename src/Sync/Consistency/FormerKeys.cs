using RedisLatency.Reports.Output;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Consistency;

// Keys that the target had before the run, by database. What is read names keys that the source has, and not those that
// it lacks: these stay, and later commands of the source (INCR, SADD, SETNX) meet them.
internal sealed record FormerKeys(IReadOnlyDictionary<int, long> Keys, bool CommandsFollow)
{
    public IEnumerable<string> DoubtsOf(IReadOnlyList<SyncCounts> counts)
    {
        if (HaveMetCommands(counts))
        {
            yield return $"The target had {Quantity.Count(Met(counts))} keys before: {OthersStay(counts)}, and what "
                + "the source's commands made of them is not known (--empty-destination empties it first).";
        }
    }

    public IEnumerable<string> NotesOf(IReadOnlyList<SyncCounts> counts)
    {
        if (!HaveMetCommands(counts) && Met(counts) is > 0 and var keys)
            yield return $"The target had {Quantity.Count(keys)} keys before; {OthersStay(counts)}.";
    }

    private static string OthersStay(IReadOnlyList<SyncCounts> counts) =>
        "those that the source does not have are still there"
            + (counts.Any(one => one.Emptied > 0) ? ", unless it emptied their database" : string.Empty);

    private bool HaveMetCommands(IReadOnlyList<SyncCounts> counts) =>
        CommandsFollow && Keys.Any(one => one.Value > 0 && counts.Any(of => of.WrittenTo.ByCommands(one.Key)));

    private long Met(IReadOnlyList<SyncCounts> counts) =>
        Keys.Where(one => counts.Any(of => of.WrittenTo.Has(one.Key))).Sum(one => one.Value);
}

// Databases of the target that were written to, and those of them in which commands of the source met keys.
internal sealed class WrittenDatabases
{
    private readonly HashSet<int> _all = [];
    private readonly HashSet<int> _byCommands = [];

    public bool Has(int database) => _all.Contains(database);

    public bool ByCommands(int database) => _byCommands.Contains(database);

    public void Add(SyncBatch batch, in SyncEntry entry, CommandTable table, bool hasKeys)
    {
        // A value in parts begins with DEL.
        if (entry.Kind == EntryKind.Restore || entry.Part != ValuePart.None)
        {
            _all.Add(entry.Database);
            return;
        }

        var command = table.All[entry.Command];
        // Others without keys bring libraries, messages, or empty a database.
        if (hasKeys || command.IsScript)
            AddByCommand(entry.Database);
        var (one, other) = CommandEffects.DatabasesOf(batch, entry, command);
        if (one is { } named)
            AddByCommand(named);
        if (other is { } second)
            AddByCommand(second);
    }

    private void AddByCommand(int database)
    {
        _all.Add(database);
        _byCommands.Add(database);
    }
}
