using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>A request, or a whole transaction, that the target answers.</summary>
internal struct SentUnit
{
    // No database, so that what follows selects its own.
    public const int NoDatabase = -1;

    public int Start { get; set; }
    public int Length { get; set; }
    public int KeyStart { get; set; }
    public int KeyLength { get; set; }

    /// <summary>How many replies it has: of a transaction one for each command, for MULTI and for EXEC.</summary>
    public int Replies { get; set; }

    public int Database { get; set; }

    // Of a transaction that leaves the connection in another database than it begins in NoDatabase.
    public int EndsIn { get; set; }

    public int Command { get; set; }

    // Of a transaction, without MULTI and EXEC.
    public int[]? Commands { get; set; }

    public int Slot { get; set; }
    public UnitKind Kind { get; set; }

    /// <summary>How many entries it is of.</summary>
    public int Entries { get; set; }

    /// <summary>Whether it may be sent again where nobody knows whether it was carried out.</summary>
    public bool IsRepeatable { get; set; }

    // Before, and its answer was lost.
    public bool WasSent { get; set; }

    // Whether the source passes it on only where it finds its key, and the target must have that key as well.
    public bool NeedsKey { get; set; }

    // The offset that the mark behind its data has, which tells whether it was carried out; 0 where it has none.
    public long Mark { get; set; }

    public int MarkGroup { get; set; }

    public ValuePart Part { get; set; }

    public static int[] CommandsOf(ReadOnlySpan<SyncEntry> entries)
    {
        var commands = new int[entries.Length];
        for (var i = 0; i < commands.Length; i++)
            commands[i] = entries[i].Command;
        return commands;
    }
}
