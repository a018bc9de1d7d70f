using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

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

    // When keys that it uses, and does not replace, expire at the target, in milliseconds of the monotonic clock; 0
    // where
    // that does not matter.
    public long KeysEndAtMs { get; set; }

    // Of a transaction that of each command, where any matters: MULTI has the first place.
    public long[]? EndsAtMs { get; set; }

    public readonly bool IsLate => KeysEndAtMs != 0 && KeysEndAtMs <= ServerClock.MonotonicMs;

    public readonly bool IsLateAt(int place) => EndsAtMs is null
        ? IsLate
        : place < EndsAtMs.Length && EndsAtMs[place] != 0 && EndsAtMs[place] <= ServerClock.MonotonicMs;

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
