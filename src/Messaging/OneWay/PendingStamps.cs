using System.Runtime.InteropServices;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// The messages that wait until the offset of their time is final, in the order in which they came: in memory up to a
/// bound, and beyond it in a file. What the file cannot take is counted, with the reason, and never an exception.
/// </summary>
/// <remarks>
/// The oldest blocks are in memory, the middle ones in the file, the newest is being filled. As long as the file has
/// any, a full block goes there, so that the order holds. One thread; in steady state nothing is allocated, in memory
/// or on the disk, because blocks and slots are used again.
/// </remarks>
internal sealed class PendingStamps : IDisposable
{
    /// <summary>How many messages are kept in memory by default: 64 MiB.</summary>
    public const int DefaultMostInMemory = 1 << 20;

    private const int LongestBlock = 1 << 12;
    private const int LeastBlocks = 4;

    private readonly Queue<MessageStamps[]> _inMemory = new();
    private readonly Queue<long> _inFile = new();
    private readonly Stack<MessageStamps[]> _free = new();
    private readonly SpillFile? _file;
    private readonly int _blockLength;
    private readonly int _mostQueued;
    private MessageStamps[] _head;
    private MessageStamps[] _tail;
    private int _headNext;
    private int _headCount;
    private int _tailCount;

    public PendingStamps(int mostInMemory, string? spillPath)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(mostInMemory, LeastBlocks);
        _blockLength = Math.Min(LongestBlock, mostInMemory / LeastBlocks);
        _mostQueued = (mostInMemory / _blockLength) - 2; // One more is read, another is filled.
        _file = spillPath is null ? null : new SpillFile(spillPath, _blockLength);
        _head = new MessageStamps[_blockLength];
        _tail = new MessageStamps[_blockLength];
    }

    public long Count => _headCount - _headNext + ((long)(_inMemory.Count + _inFile.Count) * _blockLength) + _tailCount;

    public long Spilled { get; private set; }

    public long Lost { get; private set; }

    public string? Failure { get; private set; }

    public void Append(in MessageStamps stamps)
    {
        if (_tailCount == _blockLength)
            PutTailAway();
        _tail[_tailCount++] = stamps;
    }

    public bool TryPeek(out MessageStamps stamps)
    {
        if (_headNext == _headCount && !TryFindHead())
        {
            stamps = default;
            return false;
        }

        stamps = _head[_headNext];
        return true;
    }

    public void Remove() => _headNext++;

    public void Dispose() => _file?.Dispose();

    private void PutTailAway()
    {
        if (_inFile.Count == 0 && _inMemory.Count < _mostQueued)
        {
            _inMemory.Enqueue(_tail);
            _tail = _free.TryPop(out var block) ? block : new MessageStamps[_blockLength];
        }
        else
        {
            Spill();
        }

        _tailCount = 0;
    }

    private void Spill()
    {
        try
        {
            if (_file is null)
                throw new IOException("more messages wait than memory is given for, and there is no file for them");
            _inFile.Enqueue(_file.Write(_tail));
            Spilled += _blockLength;
        }
        catch (Exception exception) when (IsOfTheFile(exception))
        {
            Lose(exception);
        }
    }

    private bool TryFindHead()
    {
        _headNext = _headCount = 0;
        if (_inMemory.TryDequeue(out var block))
        {
            _free.Push(_head);
            _head = block;
            _headCount = _blockLength;
            return true;
        }

        while (_inFile.TryDequeue(out var slot))
        {
            try
            {
                _file!.Read(slot, _head);
                _headCount = _blockLength;
                return true;
            }
            catch (Exception exception) when (IsOfTheFile(exception))
            {
                Lose(exception);
            }
        }

        (_head, _tail) = (_tail, _head);
        (_headCount, _tailCount) = (_tailCount, 0);
        return _headCount > 0;
    }

    private void Lose(Exception exception)
    {
        Lost += _blockLength;
        Failure ??= exception.Message;
    }

    // The framework takes EFBIG, the limit of the file system or of the process, for a wrong argument.
    private static bool IsOfTheFile(Exception exception) =>
        exception is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException;
}

/// <summary>
/// Whole blocks of stamps on a disk, each in a slot of a file. A slot is used again once its block was read, so the
/// file is never longer than what waited at the same time. It is made with the first block, and deleted at the end.
/// </summary>
internal sealed class SpillFile(string path, int blockLength) : IDisposable
{
    private readonly Stack<long> _freeSlots = new();
    private FileStream? _file;
    private long _slots;

    private long BlockBytes => (long)blockLength * Marshal.SizeOf<MessageStamps>();

    /// <returns>Its slot.</returns>
    public long Write(ReadOnlySpan<MessageStamps> block)
    {
        _file ??= new FileStream(
            path, FileMode.Create, FileAccess.ReadWrite, FileShare.None, bufferSize: 0, FileOptions.DeleteOnClose);
        var isReused = _freeSlots.TryPeek(out var slot);
        if (!isReused)
            slot = _slots;
        RandomAccess.Write(_file.SafeFileHandle, MemoryMarshal.AsBytes(block), slot * BlockBytes);
        if (isReused)
            _freeSlots.Pop();
        else
            _slots++;
        return slot;
    }

    /// <summary>Reads a block back; its slot is free then, whether it could be read or not.</summary>
    public void Read(long slot, Span<MessageStamps> block)
    {
        _freeSlots.Push(slot);
        var bytes = MemoryMarshal.AsBytes(block);
        for (var offset = slot * BlockBytes; !bytes.IsEmpty;)
        {
            var count = RandomAccess.Read(_file!.SafeFileHandle, bytes, offset);
            if (count == 0)
                throw new EndOfStreamException($"{path} is shorter than what was written to it.");
            bytes = bytes[count..];
            offset += count;
        }
    }

    public void Dispose() => _file?.Dispose();
}
