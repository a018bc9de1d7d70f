using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// Requests of one shard on their way to a connection, and what is known of each. Used again and again.
/// </summary>
internal sealed class LaneChunk
{
    private const int MostKept = 1 << 20;

    private SentUnit[] _units = new SentUnit[256];
    private (int At, ReadOnlyMemory<byte> Bytes) _lent;

    public RespWriter Requests { get; } = new();

    public int Length => Requests.Length + _lent.Bytes.Length;

    public ReadOnlySpan<byte> Unsent => From(Sent);

    public int Count { get; private set; }

    /// <summary>Whose it is; null of what the connection asks for itself.</summary>
    public LaneShare? Share { get; set; }

    /// <exception cref="InvalidOperationException">The connection asks it for itself.</exception>
    public LaneShare Owned => Share ?? throw new InvalidOperationException("No shard gave this request.");

    /// <summary>When the first of it was received from the source, in nanoseconds of the monotonic clock.</summary>
    public long ReceivedNs { get; set; }

    /// <summary>How many of its requests have been answered.</summary>
    public int Answered { get; set; }

    // Of a request with a long value: where it goes back to, and for how many bytes.
    public (LongRequests? Owner, int Bytes) Rent { get; set; }

    /// <summary>How many of its bytes the kernel has.</summary>
    public int Sent { get; set; }

    public bool MayBeKept => Requests.Length <= MostKept;

    /// <summary>The database in which the last request ends.</summary>
    public int Database => Count == 0 ? SentUnit.Nowhere : _units[Count - 1].EndsIn;

    public ref readonly SentUnit this[int unit] => ref _units[unit];

    // Sends these bytes behind what was written, from where they are: whoever lends them waits for the answer.
    public void Lend(ReadOnlyMemory<byte> bytes) => _lent = (Requests.Length, bytes);

    public byte[] CopyOf(in SentUnit unit)
    {
        var copy = GC.AllocateUninitializedArray<byte>(unit.Length);
        for (var copied = 0; copied < copy.Length;)
        {
            var piece = From(unit.Start + copied);
            piece = piece[..Math.Min(piece.Length, copy.Length - copied)];
            piece.CopyTo(copy.AsSpan(copied));
            copied += piece.Length;
        }

        return copy;
    }

    public ReadOnlySpan<byte> KeyOf(in SentUnit unit) => From(unit.KeyStart)[..unit.KeyLength];

    /// <summary>Notes what was written to <see cref="Requests"/> since the last time as one unit.</summary>
    public void Add(in SentUnit unit)
    {
        if (Count == _units.Length)
            Array.Resize(ref _units, Count * 2);
        _units[Count++] = unit;
    }

    // On a new connection everything is sent from the first that is not answered.
    public void Rewind()
    {
        for (var i = Answered; i < Count && _units[i].Start < Sent; i++)
            _units[i].WasSent = true;
        Sent = _units[Answered].Start;
    }

    public void Clear()
    {
        Requests.Clear();
        (Count, Answered, Sent, ReceivedNs, Share, Rent, _lent) = (0, 0, 0, 0, null, default, default);
    }

    // What lies there in one piece.
    private ReadOnlySpan<byte> From(int at)
    {
        var (lentAt, lent) = _lent;
        if (at < lentAt)
            return Requests.Written[at..lentAt];
        return at < lentAt + lent.Length ? lent.Span[(at - lentAt)..] : Requests.Written[(at - lent.Length)..];
    }
}

/// <summary>A request, or a whole transaction, that the target answers.</summary>
internal struct SentUnit
{
    // No database, so that what follows selects its own.
    public const int Nowhere = -1;

    public int Start { get; set; }
    public int Length { get; set; }
    public int KeyStart { get; set; }
    public int KeyLength { get; set; }

    /// <summary>How many replies it has: of a transaction one for each command, for MULTI and for EXEC.</summary>
    public int Replies { get; set; }

    public int Database { get; set; }

    // Of a transaction that leaves the connection in another database than it begins in Nowhere.
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

    // When keys that it uses, and does not replace, expire at the target, in milliseconds of the monotonic clock; 0 where
    // that does not matter.
    public long KeysEndAtMs { get; set; }

    // Of a transaction that of each command, where any matters: MULTI has the first place.
    public long[]? EndsAtMs { get; set; }

    public readonly bool IsLate => KeysEndAtMs != 0 && KeysEndAtMs <= ServerClock.MonotonicMs;

    public readonly bool IsLateAt(int place) => EndsAtMs is null
        ? IsLate
        : place < EndsAtMs.Length && EndsAtMs[place] != 0 && EndsAtMs[place] <= ServerClock.MonotonicMs;

    public ValuePart Part { get; set; }

    public static int[] CommandsOf(ReadOnlySpan<SyncEntry> entries)
    {
        var commands = new int[entries.Length];
        for (var i = 0; i < commands.Length; i++)
            commands[i] = entries[i].Command;
        return commands;
    }
}

internal enum UnitKind
{
    Command,
    Restore,
    Transaction,

    /// <summary>SELECT and the like, which no source gave.</summary>
    Control,
}

// What a connection was handed and the target has not answered; asked on any thread.
internal sealed class UnansweredRequests
{
    private long _given;
    private long _givenBytes;
    private long _ended;
    private long _endedBytes;
    private long _oldestNs;

    public long Count => Math.Max(Volatile.Read(ref _given) - Volatile.Read(ref _ended), 0);

    public long Bytes => Math.Max(Volatile.Read(ref _givenBytes) - Volatile.Read(ref _endedBytes), 0);

    // When the oldest of them that was taken up was received from the source; 0 where there is none.
    public long OldestNs
    {
        get => Volatile.Read(ref _oldestNs);
        set => Volatile.Write(ref _oldestNs, value);
    }

    public void Add(LaneChunk chunk)
    {
        Interlocked.Add(ref _givenBytes, chunk.Length);
        Interlocked.Add(ref _given, chunk.Count);
    }

    // The connection's thread counts.
    public void End(in SentUnit unit)
    {
        Volatile.Write(ref _endedBytes, _endedBytes + unit.Length);
        Volatile.Write(ref _ended, _ended + 1);
    }
}

/// <summary>What one shard has with one connection: how much of it has been answered.</summary>
internal sealed class LaneShare(ShardLanes owner, SyncCounts counts)
{
    private long _completed;

    public ShardLanes Owner { get; } = owner;

    public SyncCounts Counts { get; } = counts;

    /// <summary>Units handed to the connection; the shard's thread counts.</summary>
    public long Written { get; set; }

    /// <summary>Units answered; the connection's thread counts.</summary>
    public long Completed => Volatile.Read(ref _completed);

    public void Complete()
    {
        Volatile.Write(ref _completed, _completed + 1);
        Owner.Signal();
    }
}
