using System.Buffers.Text;
using System.Text;
using RedisLatency.Redis;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Sources;

/// <summary>
/// Puts the commands of a stream into a batch: its database and transactions are noted, what only keeps a replica
/// informed is left out, and every byte is counted.
/// </summary>
internal sealed class CommandStream(SyncBatch batch)
{
    private const int LongestName = 8;

    private readonly CommandBuffer _buffer = new();
    private int _database;
    private int _transactions;
    private bool _hasData;

    public CommandBuffer Buffer => _buffer;

    /// <summary>The offset after the last command that was taken.</summary>
    public long Offset { get; private set; }

    /// <summary>The offset from which to go on: of a transaction that has not ended yet, where it begins.</summary>
    public long SettledOffset { get; private set; }

    public int SettledDatabase { get; private set; }

    /// <summary>The offset after the last settled command that is data; 0 as long as none came.</summary>
    public long DataOffset { get; private set; }

    public bool IsInTransaction => batch.IsInTransaction;

    /// <summary>Begins, or goes on, at a place; what was received beyond it is forgotten.</summary>
    public void StartAt(long offset, int database)
    {
        _buffer.Clear();
        batch.AbandonTransaction();
        _database = database;
        Offset = offset;
        // What stands before that place may be a PING, which is no data.
        _hasData = false;
        Settle();
    }

    /// <summary>Takes one command, if a whole one is there.</summary>
    /// <exception cref="RedisProtocolException">What came is no command; the message names the offset.</exception>
    public bool TryTake()
    {
        ReadOnlySpan<byte> frame;
        try
        {
            if (!_buffer.TryRead(out frame))
                return false;
        }
        catch (RedisProtocolException problem)
        {
            throw new RedisProtocolException($"at offset {Offset}: {problem.Message}");
        }

        Offset += frame.Length;
        if (!IsForReplicas(frame))
        {
            _hasData = true;
            if (frame.Length > LongRequests.MostBytes && !batch.IsInTransaction)
                batch.AddCommand(_buffer.MemoryOfLast(frame.Length), _buffer.Words, _database, Offset);
            else
                batch.AddCommand(frame, _buffer.Words, _database, Offset);
        }

        if (!batch.IsInTransaction)
            Settle();
        return true;
    }

    /// <summary>Passes over bytes that stand between commands.</summary>
    public void SkipBytes(int count)
    {
        _buffer.Skip(count);
        Offset += count;
    }

    private void Settle()
    {
        (SettledOffset, SettledDatabase) = (Offset, _database);
        (batch.Offset, batch.Database) = (Offset, _database);
        if (_hasData)
            DataOffset = Offset;
        _hasData = false;
    }

    private bool IsForReplicas(ReadOnlySpan<byte> frame)
    {
        var words = _buffer.Words;
        var name = Word(frame, words[0]);
        if (name.Length > LongestName)
            return false;
        switch (words.Length)
        {
            case 1 when Is(name, "PING"):
                return true;
            case 1 when Is(name, "MULTI"):
                batch.BeginTransaction(++_transactions);
                return true;
            case 1 when Is(name, "EXEC"):
                batch.EndTransaction();
                return true;
            case 2 when Is(name, "SELECT"):
                var digits = Word(frame, words[1]);
                if (!Utf8Parser.TryParse(digits, out int database, out var read) || read != digits.Length)
                    throw new RedisProtocolException($"at offset {Offset}: a SELECT of no database");
                _database = database;
                return true;
            case 3 when Is(name, "PUBLISH"):
                return Word(frame, words[1]).SequenceEqual("__sentinel__:hello"u8);
            case > 1:
                return Is(name, "REPLCONF") || Is(name, "PING") || Is(name, "OPINFO");
            default:
                return false;
        }
    }

    private static ReadOnlySpan<byte> Word(ReadOnlySpan<byte> frame, WordSpan place) =>
        frame.Slice(place.Start, place.Length);

    private static bool Is(ReadOnlySpan<byte> word, string name) => Ascii.EqualsIgnoreCase(word, name);
}
