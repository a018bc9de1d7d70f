namespace RedisLatency.Messaging.Stamps;

/// <summary>
/// The messages that wait until the offset of their time is final, in the order in which they came: in memory up to a
/// bound, and beyond it in a file. What the file cannot take is counted, with the reason, and never an exception.
/// </summary>
/// <remarks>
/// The oldest blocks are in memory, the middle ones in the file, the newest is being filled. As long as the file has
/// any, a full block goes there, so that the order holds. One thread; in steady state nothing is allocated, in memory
/// or on the disk, because blocks and slots are used again.
/// </remarks>
public sealed class PendingStamps : IDisposable
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

    /// <summary>Makes an empty queue.</summary>
    /// <param name="mostInMemory">How many messages are kept in memory; at least 4.</param>
    /// <param name="spillPath">Where the others go; null where there is no place for a file.</param>
    public PendingStamps(int mostInMemory, string? spillPath)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(mostInMemory, LeastBlocks);
        _blockLength = Math.Min(LongestBlock, mostInMemory / LeastBlocks);
        _mostQueued = (mostInMemory / _blockLength) - 2; // One more is read, another is filled.
        _file = spillPath is null ? null : new SpillFile(spillPath, _blockLength);
        _head = new MessageStamps[_blockLength];
        _tail = new MessageStamps[_blockLength];
    }

    /// <summary>How many messages wait.</summary>
    public long Count =>
        _headCount - _headNext + ((long)(_inMemory.Count + _inFile.Count) * _blockLength) + _tailCount;

    /// <summary>How many messages went through the file so far.</summary>
    public long Spilled { get; private set; }

    /// <summary>How many messages could not be kept.</summary>
    public long Lost { get; private set; }

    /// <summary>Why the first of them could not be kept.</summary>
    public string? Failure { get; private set; }

    /// <summary>Takes a message.</summary>
    public void Append(in MessageStamps stamps)
    {
        if (_tailCount == _blockLength)
            PutTailAway();
        _tail[_tailCount++] = stamps;
    }

    /// <summary>Looks at the oldest message.</summary>
    /// <returns>Whether there is one.</returns>
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

    /// <summary>Takes away the oldest message, which <see cref="TryPeek"/> has just shown.</summary>
    public void Remove() => _headNext++;

    /// <summary>Deletes the file.</summary>
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
