using RedisLatency.Sync.Checkpoints;

namespace RedisLatency.Sync.Pipeline;

/// <summary>A command, or a key with its value, on its way from a source to a target.</summary>
internal struct SyncEntry
{
    public const long NoOffset = StreamPosition.NoOffset;
    public const int NoSlot = -1;
    public const int WithReader = -1;
    public const int ManySlots = -2;

    public SyncEntry()
    {
    }

    public EntryKind Kind { get; set; }

    public int Database { get; set; }

    // Its bytes in the batch: of a command the frame as it came, of a key the DUMP payload.
    public int Start { get; set; }

    public int Length { get; set; }

    public int FirstWord { get; set; }

    public int Words { get; set; }

    // The source's replication offset after it.
    public long Offset { get; set; } = NoOffset;

    // Entries with the same number, not zero, came as one transaction.
    public int Transaction { get; set; }

    // Of a restored key, when it expires, in milliseconds since 1970; 0 never.
    public long ExpiresAtMs { get; set; }

    // How long the key was not used, in seconds; -1 where not known.
    public long IdleSeconds { get; set; } = -1;

    // How often the key is used, as LFU counts; -1 where not known.
    public int Frequency { get; set; } = -1;

    // The number of its command in the CommandTable; set on the way.
    public int Command { get; set; }

    // The slot of its keys, NoSlot or ManySlots; set on the way.
    public int Slot { get; set; } = NoSlot;

    /// <summary>
    /// Whether it is a part of one key's value that is not restored at once; the last part counts as the key.
    /// </summary>
    public ValuePart Part { get; set; }

    // Whether it is no entry of the source, and is not counted as one.
    public bool IsOwn { get; set; }

    // The number of the value that it was made of, among those that come in parts; 0 of none.
    public int Value { get; set; }
}
