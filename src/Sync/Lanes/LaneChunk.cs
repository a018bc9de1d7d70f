using RedisLatency.Redis.Resp;

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

    // The transaction that is being written, of which what follows may become a part.
    public LaneTransaction? Open { get; set; }

    /// <summary>How many of its bytes the kernel has.</summary>
    public int Sent { get; set; }

    public bool MayBeKept => Requests.Length <= MostKept;

    /// <summary>The database in which the last request ends.</summary>
    public int Database => Open is { } open ? open.Database
        : Count == 0 ? SentUnit.NoDatabase : _units[Count - 1].EndsIn;

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
        (Count, Answered, Sent, ReceivedNs, Share, Rent, _lent, Open) = (0, 0, 0, 0, null, default, default, null);
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
