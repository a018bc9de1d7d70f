namespace RedisLatency.Redis.Rdb;

/// <summary>Takes a whole request in RESP; its bytes are valid for the call.</summary>
public delegate void RequestHandler(ReadOnlySpan<byte> request);

/// <summary>
/// Makes the commands that rebuild a key, for targets that refuse its RESTORE and for values that are too long to be
/// held: SET and APPEND, RPUSH, SADD, ZADD, HSET and HPEXPIREAT, ARMSET, XADD and what belongs to its groups, then
/// PEXPIREAT. Several commands are not atomic. Commands cannot carry idle times, frequencies, and when a stream's
/// consumers were last seen; what else is left out, <see cref="Losses"/> says.
/// </summary>
public sealed class TypedCommands
{
    private readonly TypedCommandWriter _writer;
    private readonly RdbValueWalk _walk;
    private readonly TypedCommandOptions _options;
    private TypedLosses _besideValue;

    /// <summary>Makes them for targets of a kind.</summary>
    /// <param name="target">The format of the target: which commands it knows follows from it.</param>
    /// <param name="options">How they are cut; null is the default.</param>
    public TypedCommands(RdbFormat target, TypedCommandOptions? options = null)
    {
        _options = options ?? new();
        _writer = new TypedCommandWriter(target, _options);
        _walk = new RdbValueWalk(_writer);
    }

    /// <summary>What the commands of the last key could not carry.</summary>
    public TypedLosses Losses => _writer.Losses | _besideValue;

    /// <summary>Makes the commands for the key that the reader has found; also where its value is too long.</summary>
    /// <returns>How many there were.</returns>
    /// <exception cref="RdbException">The value is damaged, or a module's.</exception>
    public int Write(RdbReader reader, RequestHandler handle)
    {
        _besideValue = TypedLosses.None;
        var entry = reader.Entry;
        var orphans = entry is { Kind: RdbKind.Stream, IsBig: false }
            ? OrphanedPending.Find(reader.OpenValue(), entry.Type, entry.Format)
            : null;
        var input = reader.OpenValue();
        _writer.Begin(entry.Key, orphans, handle);
        _walk.Walk(input, entry.Type, entry.Format);
        return _writer.Finish(entry.ExpiresAtMs);
    }

    /// <summary>Makes the commands for a value that DUMP gave.</summary>
    /// <inheritdoc cref="Write(RdbReader, RequestHandler)"/>
    public int Write(ReadOnlySpan<byte> key, DumpPayload payload, long? expiresAtMs, RequestHandler handle)
    {
        _besideValue = payload.HasModuleMetadata ? TypedLosses.ModuleMetadata : TypedLosses.None;
        var bytes = payload.Value.ToArray();
        var kind = RdbType.KindOf(payload.Type, payload.Format);
        var orphans = kind == RdbKind.Stream
            ? OrphanedPending.Find(InputOf(bytes), payload.Type, payload.Format)
            : null;
        if (_options.ChecksFirst)
            Walk(new RdbValueWalk(new UnseenValue()), key, bytes, payload);
        _writer.Begin(key, orphans, handle);
        Walk(_walk, key, bytes, payload);
        return _writer.Finish(expiresAtMs);
    }

    private RdbInput InputOf(byte[] bytes) => new(bytes, bytes.Length)
    {
        LongestText = Math.Max(_options.BigValue, RdbReader.DefaultBigValue),
    };

    private void Walk(RdbValueWalk walk, ReadOnlySpan<byte> key, byte[] bytes, DumpPayload payload)
    {
        var input = InputOf(bytes);
        input.IsInKey = true;
        // For messages, which show its beginning.
        input.Key.Append(key[..Math.Min(key.Length, 256)]);
        walk.Walk(input, payload.Type, payload.Format);
        if (!input.Unread.IsEmpty)
            throw input.Fault($"{input.Unread.Length} bytes stand behind the value");
    }
}

/// <summary>How values are cut into commands.</summary>
public sealed record TypedCommandOptions
{
    /// <summary>Whether the commands begin with a DEL of the key.</summary>
    public bool Replaces { get; init; }

    /// <summary>
    /// Whether a dump is looked through before its first command, so that a damaged one makes none; that takes its time
    /// twice.
    /// </summary>
    public bool ChecksFirst { get; init; }

    /// <summary>The most elements of a list, set, sorted set or hash in one command.</summary>
    public int ElementsPerCommand { get; init; } = 1024;

    /// <summary>Of a dump: see the reader's. By default what Redis takes is held.</summary>
    public long BigValue { get; init; } = RdbReader.LongestText;

    /// <summary>A command with so many bytes gets no more elements.</summary>
    public int BytesPerCommand { get; init; } = 1 << 20;
}

/// <summary>Losses in plain words.</summary>
public static class TypedLossWords
{
    private static readonly (TypedLosses Loss, string Words)[] All =
    [
        (TypedLosses.FieldExpiry, "times to live of a hash's fields"),
        (TypedLosses.IdleConsumers, "consumers of a stream's groups with nothing pending"),
        (TypedLosses.UnownedPending, "pending entries of a stream's groups that consumers gave back"),
        (TypedLosses.ProducerIds, "ids of a stream's producers"),
        (TypedLosses.StreamCounts, "a stream's counts of entries added and read"),
        (TypedLosses.DeletedPending, "pending entries of a stream's groups that may have been deleted from it"),
        (TypedLosses.ModuleMetadata, "data that modules attached to the key"),
    ];

    /// <summary>All of them, parted by commas.</summary>
    public static string InWords(this TypedLosses losses) =>
        string.Join(", ", All.Where(one => losses.HasFlag(one.Loss)).Select(one => one.Words));
}
