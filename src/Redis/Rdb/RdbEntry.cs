namespace RedisLatency.Redis.Rdb;

/// <summary>A key of an RDB file with its value; one object for all of a reader's keys, valid until the next.</summary>
public sealed class RdbEntry
{
    private readonly RdbInput _input;

    internal RdbEntry(RdbInput input) => _input = input;

    /// <summary>The database it is in.</summary>
    public int Database { get; internal set; }

    /// <summary>Its name.</summary>
    public ReadOnlySpan<byte> Key => _input.Key.Written;

    /// <summary>When it expires, in milliseconds since 1970; null where it does not.</summary>
    public long? ExpiresAtMs { get; internal set; }

    /// <summary>For how many seconds nobody had used it; null where the source counts uses, or neither.</summary>
    public long? IdleSeconds { get; internal set; }

    /// <summary>How often it was used, as LFU counts; null where the source measures idleness, or neither.</summary>
    public byte? Frequency { get; internal set; }

    /// <summary>The number of its type in the file.</summary>
    public byte Type { get; internal set; }

    /// <summary>What it is.</summary>
    public RdbKind Kind => RdbType.KindOf(Type, Format);

    /// <summary>Whose numbers hold.</summary>
    public RdbFormat Format { get; internal set; }

    /// <summary>
    /// Whether the value is longer than the reader may hold: <see cref="Value"/> is then empty, and it can only be
    /// taken as commands. A module's value never is: it cannot be taken apart.
    /// </summary>
    public bool IsBig { get; internal set; }

    /// <summary>
    /// Whether modules had attached metadata to the key (Redis 8.6): they are left out, and who writes the key
    /// elsewhere should say so.
    /// </summary>
    public bool HasModuleMetadata { get; internal set; }

    /// <summary>The value's bytes exactly as in the file.</summary>
    public ReadOnlySpan<byte> Value => Memory.Span;

    /// <summary>The same, also valid until the next key is read.</summary>
    public ReadOnlyMemory<byte> Memory => IsBig ? default : _input.Marked;

    /// <summary>Where in the file the key begins.</summary>
    public long Offset { get; internal set; }
}
