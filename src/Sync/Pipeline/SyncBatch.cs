using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Lanes;

namespace RedisLatency.Sync.Pipeline;

/// <summary>
/// What a reader hands on at once: commands and keys, in the order of its shard, over one buffer. A reader has one and
/// fills it again and again; nothing is allocated per entry. A transaction lies in one batch as a whole.
/// </summary>
internal sealed class SyncBatch
{
    // A batch that held a very long value gives the memory back when none follows.
    private const int MostKept = 4 << 20;
    private const int MostUnused = 16;
    private const int Least = 64 << 10;

    private byte[] _bytes = GC.AllocateUninitializedArray<byte>(Least);
    private SyncEntry[] _entries = new SyncEntry[256];
    private WordSpan[] _words = new WordSpan[1024];
    private int _wordCount;
    // What is being made for it.
    private RespWriter _made = new();
    private readonly CommandFrames _frames = new();
    private StoredValue? _long;
    private ReadOnlyMemory<byte> _longPayload;
    private int _transaction;
    private int _unused;
    private (int Length, int Count, int Words, long Offset) _beforeTransaction;

    // It is passed on when these bytes are enough, or when nothing more is there.
    public int Length { get; private set; }

    public int Count { get; private set; }

    public bool IsEmpty => Count == 0;

    // How many values came in parts.
    public int ValuesInParts { get; set; }

    // Whether it is long enough to be passed on.
    public bool IsFull(int enough) => !IsInTransaction && (Length >= enough || HasLongValue);

    // It stays with its reader, so nothing may be added before the batch was passed on.
    public bool HasLongValue => _long is not null || !_longPayload.IsEmpty;

    public Span<SyncEntry> Entries => _entries.AsSpan(0, Count);

    // When its first bytes were received, in nanoseconds of the monotonic clock; lag counts from it.
    public long ReceivedNs { get; set; }

    // The source's offset after all of it, what was left out as well; none where the source has none.
    public long Offset { get; set; } = SyncEntry.NoOffset;

    // Whose stream that is, and the database that is selected there.
    public string ReplicationId { get; set; } = string.Empty;

    public int Database { get; set; }

    public StreamPosition Position => new(ReplicationId, Offset, Database);

    public ReadOnlySpan<byte> BytesOf(in SyncEntry entry) => entry.Start != SyncEntry.WithReader
        ? _bytes.AsSpan(entry.Start, entry.Length)
        : _long is { } value ? value.ToPayload() : _longPayload.Span;

    // The same of one that no long value stands for; valid until the batch was passed on.
    public ReadOnlyMemory<byte> MemoryOf(in SyncEntry entry) => entry.Start != SyncEntry.WithReader
        ? _bytes.AsMemory(entry.Start, entry.Length)
        : _longPayload;

    public StoredValue? LongValueOf(in SyncEntry entry) => entry.Start == SyncEntry.WithReader ? _long : null;

    // A word of a command, its name first; of a key to be restored word 0 is the key.
    public ReadOnlySpan<byte> Word(in SyncEntry entry, int number)
    {
        var place = _words[entry.FirstWord + number];
        return place.Start < 0
            ? _longPayload.Span.Slice(~place.Start, place.Length)
            : _bytes.AsSpan(place.Start, place.Length);
    }

    // Where the word lies in the command as it came.
    public WordSpan PlaceOf(in SyncEntry entry, int number)
    {
        var place = _words[entry.FirstWord + number];
        return place with { Start = place.Start < 0 ? ~place.Start : place.Start - entry.Start };
    }

    /// <summary>Adds a command as it came.</summary>
    /// <param name="frame">The whole RESP array, its bytes untouched.</param>
    /// <param name="words">Where its words lie in the frame; <see cref="CommandFrames"/> finds them.</param>
    /// <param name="database">The database it is for.</param>
    /// <param name="offset">The source's offset after it.</param>
    public ref SyncEntry AddCommand(
        ReadOnlySpan<byte> frame, ReadOnlySpan<WordSpan> words, int database, long offset = SyncEntry.NoOffset)
    {
        ref var entry = ref Add(EntryKind.Command, database, offset);
        entry.Transaction = _transaction;
        Hold(ref entry, frame, words);
        return ref entry;
    }

    // Adds a very long one, which is not copied; its words have negative places.
    public void AddCommand(
        ReadOnlyMemory<byte> frame, ReadOnlySpan<WordSpan> words, int database, long offset)
    {
        ref var entry = ref Add(EntryKind.Command, database, offset);
        (_longPayload, entry.Start, entry.Length) = (frame, SyncEntry.WithReader, frame.Length);
        AddWords(ref entry, words, 0);
        foreach (ref var place in _words.AsSpan(entry.FirstWord, entry.Words))
            place = place with { Start = ~place.Start };
    }

    /// <summary>Begins a command of so many words, to be written and added, or put into an entry's place.</summary>
    public RespWriter Make(int words)
    {
        if (_made.Capacity > MostKept)
            _made = new();
        _made.Clear();
        _made.WriteArrayHeader(words);
        return _made;
    }

    public ref SyncEntry AddMade(int database) => ref AddCommand(_made.Written, _frames, database);

    // Adds a command made here.
    public ref SyncEntry AddCommand(ReadOnlySpan<byte> request, CommandFrames frames, int database)
    {
        FindWords(request, frames);
        return ref AddCommand(request, frames.Words, database);
    }

    /// <summary>
    /// The command that was made, in the place of an entry or of a part of it; the batch's own entries stay as they
    /// are.
    /// </summary>
    public SyncEntry Replace(in SyncEntry entry)
    {
        var request = _made.Written;
        FindWords(request, _frames);
        var made = new SyncEntry
        {
            Kind = EntryKind.Command,
            Database = entry.Database,
            Command = entry.Command,
            Offset = entry.Offset,
            Transaction = entry.Transaction,
            // Any other that a function gives is none.
            Part = entry.Part != ValuePart.None && IsSameCommand(entry, request) ? entry.Part : ValuePart.None,
            Value = entry.Value,
            ExpiresAtMs = entry.Kind == EntryKind.Command ? entry.ExpiresAtMs : 0,
        };
        Hold(ref made, request, _frames.Words);
        return made;
    }

    // Keeps another key for an entry that is to be restored.
    public void Rename(ref SyncEntry entry, ReadOnlySpan<byte> key) =>
        AddWords(ref entry, [new WordSpan(0, key.Length)], Append(key));

    /// <summary>
    /// Adds a key that the target restores from its DUMP payload: with version and checksum behind the value. A long
    /// one is not copied.
    /// </summary>
    public ref SyncEntry AddRestore(ReadOnlySpan<byte> key, ReadOnlyMemory<byte> payload, int database)
    {
        if (payload.Length < LongRequests.Least)
        {
            var start = Append(payload.Span);
            return ref AddRestore(key, start, database);
        }

        _longPayload = payload;
        return ref AddLong(key, payload.Length, database);
    }

    // The same of a value as an RDB file has it. A long one is not copied.
    public ref SyncEntry AddRestore(ReadOnlySpan<byte> key, StoredValue value, int database)
    {
        var start = Length;
        if (value.Bytes.Length < LongRequests.Least)
        {
            value.WriteTo(Reserve(value.PayloadLength));
            return ref AddRestore(key, start, database);
        }

        _long = value;
        return ref AddLong(key, value.PayloadLength, database);
    }

    public void AddDamaged(ReadOnlySpan<byte> key, string reason, int database)
    {
        var start = Append(Encoding.UTF8.GetBytes(reason));
        AddRestore(key, start, database).Kind = EntryKind.Damaged;
    }

    // Commands added from now on are one transaction, until it is ended.
    public void BeginTransaction(int number)
    {
        _transaction = number;
        _beforeTransaction = (Length, Count, _wordCount, Offset);
    }

    public void EndTransaction() => _transaction = 0;

    // Forgets a transaction that was begun and will not end.
    public void AbandonTransaction()
    {
        if (IsInTransaction)
            (Length, Count, _wordCount, Offset) = _beforeTransaction;
        _transaction = 0;
    }

    public bool IsInTransaction => _transaction != 0;

    public void Clear()
    {
        _unused = Length > MostKept / 4 ? 0 : _unused + 1;
        (Length, Count, _wordCount, ReceivedNs, Offset, _long) = (0, 0, 0, 0, SyncEntry.NoOffset, null);
        _longPayload = default;
        if (_bytes.Length > MostKept && _unused > MostUnused)
            _bytes = GC.AllocateUninitializedArray<byte>(Least);
        if (_words.Length > MostKept / 8)
            _words = new WordSpan[1024];
    }

    private bool IsSameCommand(in SyncEntry entry, ReadOnlySpan<byte> request)
    {
        var name = _frames.Words[0];
        return Ascii.EqualsIgnoreCase(Word(entry, 0), request.Slice(name.Start, name.Length));
    }

    private static void FindWords(ReadOnlySpan<byte> request, CommandFrames frames)
    {
        if (!frames.TryRead(request, out var frame) || frame.Length != request.Length)
            throw new InvalidOperationException("What was made is no single command.");
    }

    private void Hold(ref SyncEntry entry, ReadOnlySpan<byte> frame, ReadOnlySpan<WordSpan> words)
    {
        (entry.Start, entry.Length) = (Append(frame), frame.Length);
        AddWords(ref entry, words, entry.Start);
    }

    private ref SyncEntry Add(EntryKind kind, int database, long offset)
    {
        if (Count == _entries.Length)
            Array.Resize(ref _entries, Count * 2);
        ref var entry = ref _entries[Count++];
        entry = new SyncEntry { Kind = kind, Database = database, Offset = offset };
        if (offset != SyncEntry.NoOffset)
            Offset = offset;
        return ref entry;
    }

    private void AddWords(ref SyncEntry entry, ReadOnlySpan<WordSpan> words, int start)
    {
        (entry.FirstWord, entry.Words) = (_wordCount, words.Length);
        if (_wordCount + words.Length > _words.Length)
            Array.Resize(ref _words, Math.Max(_words.Length * 2, _wordCount + words.Length));
        foreach (var word in words)
            _words[_wordCount++] = new WordSpan(start + word.Start, word.Length);
    }

    private ref SyncEntry AddRestore(ReadOnlySpan<byte> key, int start, int database)
    {
        var length = Length - start;
        var keyStart = Append(key);
        ref var entry = ref Add(EntryKind.Restore, database, SyncEntry.NoOffset);
        (entry.Start, entry.Length) = (start, length);
        AddWords(ref entry, [new WordSpan(0, key.Length)], keyStart);
        return ref entry;
    }

    private ref SyncEntry AddLong(ReadOnlySpan<byte> key, int length, int database)
    {
        ref var entry = ref AddRestore(key, Length, database);
        (entry.Start, entry.Length) = (SyncEntry.WithReader, length);
        return ref entry;
    }

    private int Append(ReadOnlySpan<byte> bytes)
    {
        var start = Length;
        bytes.CopyTo(Reserve(bytes.Length));
        return start;
    }

    private Span<byte> Reserve(int count)
    {
        if (_bytes.Length - Length < count)
            Grow(count);
        Length += count;
        return _bytes.AsSpan(Length - count, count);
    }

    private void Grow(int count)
    {
        // Of a long value no more than it needs.
        var size = count > _bytes.Length / 2 ? Length + (long)count : _bytes.Length * 2L;
        var larger = GC.AllocateUninitializedArray<byte>((int)Math.Min(size, Array.MaxLength));
        _bytes.AsSpan(0, Length).CopyTo(larger);
        _bytes = larger;
    }
}
