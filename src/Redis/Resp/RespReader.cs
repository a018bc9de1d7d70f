using System.Runtime.CompilerServices;

namespace RedisLatency.Redis.Resp;

/// <summary>
/// Reads RESP2 and RESP3 replies out of bytes that come in pieces of any size. Bytes are received into
/// <see cref="GetSpace"/> and announced by <see cref="Commit"/>; whole replies are then taken one by one, without
/// allocating. Source: https://redis.io/docs/latest/develop/reference/protocol-spec and
/// https://github.com/redis/redis-specifications/blob/master/protocol/RESP3.md (streamed types are refused).
/// </summary>
internal sealed class RespReader
{
    // Replies that nobody has taken while a send blocks; a server that says more than that was not asked.
    private const int MostUnread = 1 << 30;

    private readonly RespScanner _scanner;
    private byte[] _buffer;
    private int _start;
    private int _end;
    private long _toDrop;

    /// <param name="capacity">How many bytes the buffer holds before it must grow.</param>
    /// <param name="limits">What is accepted.</param>
    public RespReader(int capacity = 16 << 10, RespLimits? limits = null)
    {
        _scanner = new RespScanner(limits ?? RespLimits.Default);
        _buffer = GC.AllocateUninitializedArray<byte>(Math.Max(capacity, 256), pinned: true);
    }

    /// <summary>
    /// How many received bytes have not been taken yet; not zero when a connection ends inside a reply.
    /// </summary>
    public int Unread => _end - _start;

    /// <summary>What is accepted; another holds from the next reply on.</summary>
    public RespLimits Limits
    {
        get => _scanner.Limits;
        set => _scanner.Limits = value;
    }

    public ReadOnlySpan<byte> UnreadBytes => _buffer.AsSpan(_start, Unread);

    /// <summary>Room to receive into. Replies taken before are no longer valid.</summary>
    public Span<byte> GetSpace(int minimum = 4096)
    {
        if (_start == _end)
            _start = _end = 0;
        if (_buffer.Length - _end < minimum)
            MakeRoom(minimum);
        return _buffer.AsSpan(_end);
    }

    /// <summary>What was taken, without a copy; valid as long as the reply is.</summary>
    public ReadOnlyMemory<byte> MemoryOf(ReadOnlySpan<byte> content) =>
        _buffer.AsSpan().Overlaps(content, out var offset) ? _buffer.AsMemory(offset, content.Length) : default;

    /// <summary>Says how many bytes were received into the space.</summary>
    public void Commit(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _buffer.Length - _end);
        _end += _toDrop == 0 ? count : DropFrom(count);
    }

    public void Feed(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpace(bytes.Length));
        Commit(bytes.Length);
    }

    /// <summary>Takes the next whole reply: the cursor stands on its first element.</summary>
    /// <returns>False while bytes are missing.</returns>
    public bool TryRead(out RespCursor reply)
    {
        if (_start != _end)
        {
            // Once more where a long value was cut out of what is there.
            do
            {
                if (_scanner.TryFindEnd(_buffer.AsSpan(_start, _end - _start), out var length))
                {
                    reply = new RespCursor(_buffer.AsSpan(_start, length), _scanner.Limits);
                    _start += length;
                    return true;
                }
            }
            while (TryShorten());
        }

        reply = default;
        return false;
    }

    // Apart from the reading, which is every message's, as is what drops bytes.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryShorten()
    {
        if (TryDropLongBulk())
            return true;
        return Unread <= Limits.MaxFrameLength
            ? false
            : throw RespFault.TooLong("reply", Unread, Limits.MaxFrameLength);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int DropFrom(int count)
    {
        var dropped = (int)Math.Min(_toDrop, count);
        _buffer.AsSpan(_end + dropped, count - dropped).CopyTo(_buffer.AsSpan(_end));
        _toDrop -= dropped;
        return count - dropped;
    }

    // It stays where it is as "$0000000" with its line end, and what was in it is gone.
    private bool TryDropLongBulk()
    {
        var unread = _buffer.AsSpan(_start, Unread);
        if (Limits.LongestKept is not { } longest
            || !RespToken.TryReadBulkLength(unread, _scanner.Position, out var length, out var content)
            || length <= longest)
        {
            return false;
        }

        const int LineEnd = 2;
        unread[(_scanner.Position + 1)..(content - LineEnd)].Fill((byte)'0');
        var here = (int)Math.Min(length, unread.Length - content);
        unread[(content + here)..].CopyTo(unread[content..]);
        _end -= here;
        _toDrop = length - here;
        return true;
    }

    private void MakeRoom(int minimum)
    {
        const int MostTimes = 16;
        var unread = Unread;
        var target = _buffer;
        // Moving is worth it only while it frees at least half, else the same bytes would move again and again; with a
        // long value under way it is known what is needed.
        var needed = AnnouncedLength() is { } length ? length + minimum
            : unread > _buffer.Length / 2 ? _buffer.Length * 2L : unread + (long)minimum;
        if (needed > _buffer.Length)
        {
            if (unread > MostUnread)
                throw RespFault.TooLong("reply", unread, MostUnread);
            // Not at once what a wrong length says.
            needed = Math.Max(Math.Min(needed, (long)_buffer.Length * MostTimes), unread + (long)minimum);
            target = GC.AllocateUninitializedArray<byte>((int)Math.Min(needed, Array.MaxLength), pinned: true);
        }

        _buffer.AsSpan(_start, unread).CopyTo(target);
        _buffer = target;
        _start = 0;
        _end = unread;
    }

    // Of a reply up to the end of the string that is under way, where that is most of it.
    private long? AnnouncedLength()
    {
        const int LineEnd = 2;
        return RespToken.TryReadBulkLength(UnreadBytes, _scanner.Position, out var length, out var content)
            && length >= content && content + length + LineEnd > Unread
            ? content + length + LineEnd
            : null;
    }
}

/// <summary>
/// Finds the end of a reply. It remembers how far it came, so that a reply which arrives in many pieces is looked
/// at once, not once per piece.
/// </summary>
internal sealed class RespScanner(RespLimits limits)
{
    private long[] _remaining = new long[limits.MaxDepth + 1];
    private RespLimits _limits = limits;
    private int _depth = -1;
    private int _position;
    private long _elements;

    /// <summary>What is accepted from the next reply on.</summary>
    public RespLimits Limits
    {
        get => _limits;
        set
        {
            _limits = value;
            if (_remaining.Length <= value.MaxDepth)
                Array.Resize(ref _remaining, value.MaxDepth + 1);
        }
    }

    public int Position => _position;

    /// <summary>
    /// Looks for the end of the reply that begins with the first byte; an attribute belongs to the reply. The bytes are
    /// all from there on: what an earlier call saw, and what came since.
    /// </summary>
    public bool TryFindEnd(ReadOnlySpan<byte> bytes, out int length)
    {
        if (_depth < 0)
        {
            _depth = 0;
            _remaining[0] = 1;
        }

        while (RespToken.TryRead(bytes, _position, _limits, out var token))
        {
            _position = token.End;
            // An attribute precedes the value it describes and is not one of its parent's elements.
            if (token.Type != RespType.Attribute)
                _remaining[_depth]--;
            if (token.Children > 0)
                Descend(token.Children);
            while (_remaining[_depth] == 0 && _depth > 0)
                _depth--;
            if (_remaining[_depth] == 0)
            {
                length = _position;
                Reset();
                return true;
            }
        }

        length = 0;
        return false;
    }

    public void Reset()
    {
        _depth = -1;
        _position = 0;
        _elements = 0;
    }

    private void Descend(long children)
    {
        if (_depth == _limits.MaxDepth)
            throw RespFault.TooDeep(_limits.MaxDepth);
        _elements += children;
        if (_elements > _limits.MaxElements)
            throw RespFault.TooMany(_elements, _limits.MaxElements);
        _remaining[++_depth] = children;
    }
}
