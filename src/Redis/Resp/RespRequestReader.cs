using System.Buffers.Text;

namespace RedisLatency.Redis.Resp;

/// <summary>
/// Reads requests as a server does: arrays of bulk strings, and inline commands as people type them, over any
/// chunking. Limits and error texts follow Redis 7.0 (<c>networking.c</c>). The words of a request are slices of its
/// buffer: nothing is allocated per request.
/// </summary>
public sealed class RespRequestReader
{
    /// <summary>The longest inline command, and the longest count line, in bytes.</summary>
    public const int MaxInlineLength = 64 * 1024;

    /// <summary>The longest bulk string, in bytes (Redis's proto-max-bulk-len).</summary>
    public const int MaxBulkLength = 512 * 1024 * 1024;

    /// <summary>The longest whole request, in bytes (Redis's client-query-buffer-limit).</summary>
    public const int MaxRequestLength = 1 << 30;

    private const int NoBulk = -1;

    private readonly int _initialCapacity;
    private byte[] _buffer;
    private (int Offset, int Length)[] _words = new (int, int)[8];
    private int _start;
    private int _position;
    private int _end;
    private int _remaining;
    private int _bulkLength = NoBulk;

    /// <summary>Makes a reader.</summary>
    /// <param name="capacity">
    /// Bytes held at first; the buffer grows with what really arrives, never ahead of it.
    /// </param>
    public RespRequestReader(int capacity = 16 * 1024)
    {
        _initialCapacity = Math.Max(capacity, 64);
        _buffer = GC.AllocateUninitializedArray<byte>(_initialCapacity);
    }

    /// <summary>Why no request can be read any more, as Redis words it, without its <c>ERR </c>; else null.</summary>
    public string? ProtocolError { get; private set; }

    /// <summary>How many words the request has that <see cref="TryRead"/> found.</summary>
    public int Count { get; private set; }

    /// <summary>A word of the request; valid until the next call to this reader.</summary>
    public ReadOnlySpan<byte> this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            var (offset, length) = _words[index];
            return _buffer.AsSpan(_start + offset, length);
        }
    }

    /// <summary>Room to receive into; at least one byte. What was written is told to <see cref="Advance"/>.</summary>
    public Span<byte> GetSpace()
    {
        if (_end == _position && _remaining == 0)
            StartOver();
        if (_end == _buffer.Length)
            MakeSpace();
        return _buffer.AsSpan(_end);
    }

    /// <summary>Takes over bytes that were received into <see cref="GetSpace"/>.</summary>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_buffer.Length - _end), nameof(count));
        _end += count;
    }

    /// <summary>Looks for the next whole request; empty ones are skipped, as Redis does.</summary>
    /// <returns>Whether there is one; if not, more bytes are needed or <see cref="ProtocolError"/> is set.</returns>
    public bool TryRead()
    {
        while (ProtocolError is null)
        {
            if (_remaining == 0 && !TryStartRequest())
                return false;
            if (_remaining > 0 && !TryReadBulks())
                return _end - _start > MaxRequestLength && Fail("too big request");
            if (Count > 0)
                return true;
        }

        return false;
    }

    private bool TryStartRequest()
    {
        _start = _position;
        Count = 0;
        if (_position == _end)
            return false;
        return _buffer[_position] == '*' ? TryReadCount() : TryReadInline();
    }

    private bool TryReadCount()
    {
        if (!TryReadNumber("too big mbulk count string", out var isNumber, out var count))
            return false;
        if (!isNumber || count > int.MaxValue)
            return Fail("invalid multibulk length");
        _remaining = (int)Math.Max(count, 0);
        return true;
    }

    private bool TryReadBulks()
    {
        while (_remaining > 0)
        {
            if (_bulkLength == NoBulk && !TryReadBulkLength())
                return false;
            if (_end - _position < (long)_bulkLength + 2)
                return false;
            AddWord(_position, _bulkLength);
            _position += _bulkLength + 2;
            _bulkLength = NoBulk;
            _remaining--;
        }

        return true;
    }

    private bool TryReadBulkLength()
    {
        if (_position == _end)
            return false;
        var line = _buffer.AsSpan(_position, _end - _position);
        if (line.IndexOf((byte)'\r') >= 0 && line[0] != '$')
            return Fail($"expected '$', got '{(char)line[0]}'");
        if (!TryReadNumber("too big bulk count string", out var isNumber, out var length))
            return false;
        if (!isNumber || length is < 0 or > MaxBulkLength)
            return Fail("invalid bulk length");
        _bulkLength = (int)length;
        return true;
    }

    private bool TryReadNumber(string errorWhenEndless, out bool isNumber, out long number)
    {
        isNumber = false;
        number = 0;
        var line = _buffer.AsSpan(_position, _end - _position);
        var length = line.IndexOf((byte)'\r');
        if (length < 0)
            return line.Length > MaxInlineLength && Fail(errorWhenEndless);
        if (line.Length < length + 2)
            return false;
        isNumber = TryParse(line[1..length], out number);
        _position += length + 2;
        return true;
    }

    /// <summary>Reads a number as string2ll of Redis: no plus, no leading zero, no blanks.</summary>
    public static bool TryParse(ReadOnlySpan<byte> digits, out long number)
    {
        number = 0;
        if (digits.IsEmpty || digits[0] == '+' || (digits[0] == '0' && digits.Length > 1) || digits.StartsWith("-0"u8))
            return false;
        return Utf8Parser.TryParse(digits, out number, out var read) && read == digits.Length;
    }

    private void AddWord(int position, int length)
    {
        if (Count == _words.Length)
            Array.Resize(ref _words, _words.Length * 2);
        _words[Count++] = (position - _start, length);
    }

    private bool Fail(string error)
    {
        ProtocolError = $"Protocol error: {error}";
        Count = 0;
        return false;
    }

    private void StartOver()
    {
        _start = _position = _end = 0;
        Count = 0;

        // A request of many megabytes must not hold them for the rest of the connection's life.
        if (_buffer.Length > Math.Max(_initialCapacity, 1 << 20))
            _buffer = GC.AllocateUninitializedArray<byte>(_initialCapacity);
        if (_words.Length > 4096)
            _words = new (int, int)[8];
    }

    private void MakeSpace()
    {
        var kept = _buffer.AsSpan(_start, _end - _start);
        if (kept.Length > _buffer.Length / 2)
        {
            var larger = (int)Math.Min(_buffer.Length * 2L, Array.MaxLength);
            var buffer = GC.AllocateUninitializedArray<byte>(larger);
            kept.CopyTo(buffer);
            _buffer = buffer;
        }
        else
        {
            kept.CopyTo(_buffer);
        }

        _position -= _start;
        _end -= _start;
        _start = 0;
    }

    // Inline commands: words between blanks, quoted as sdssplitargs of Redis does.
    private bool TryReadInline()
    {
        var line = _buffer.AsSpan(_position, _end - _position);
        var length = line.IndexOf((byte)'\n');
        if (length < 0)
            return line.Length > MaxInlineLength && Fail("too big inline request");
        var from = _position;
        _position += length + 1;
        if (length > 0 && line[length - 1] == '\r')
            length--;
        return TrySplit(from, from + length) || Fail("unbalanced quotes in request");
    }

    private bool TrySplit(int position, int end)
    {
        while (true)
        {
            while (position < end && IsBlank(_buffer[position]))
                position++;
            if (position == end)
                return true;
            var start = position;
            if (!TryUnquote(ref position, end, out var length))
                return false;
            AddWord(start, length);
        }
    }

    /// <summary>Unquotes one word in place: what it means is never longer than what was typed.</summary>
    private bool TryUnquote(ref int position, int end, out int length)
    {
        var target = position;
        var start = position;
        while (position < end && !IsBlank(_buffer[position]) && _buffer[position] != 0)
        {
            var quote = _buffer[position];
            if (quote is not ((byte)'"' or (byte)'\''))
            {
                _buffer[target++] = _buffer[position++];
                continue;
            }

            if (!TryUnquoteQuoted(ref position, ref target, end, quote))
            {
                length = 0;
                return false;
            }
        }

        if (position < end && _buffer[position] == 0)
            position = end;
        length = target - start;
        return true;
    }

    private bool TryUnquoteQuoted(ref int position, ref int target, int end, byte quote)
    {
        for (position++; position < end; position++)
        {
            var next = _buffer[position];
            if (next == quote)
            {
                position++;
                return position == end || IsBlank(_buffer[position]);
            }

            if (next == '\\' && position + 1 < end)
                next = Unescape(ref position, end, quote);
            _buffer[target++] = next;
        }

        return false;
    }

    private byte Unescape(ref int position, int end, byte quote)
    {
        var escaped = _buffer[position + 1];
        if (quote == '\'')
        {
            if (escaped != '\'')
                return (byte)'\\';
            position++;
            return escaped;
        }

        if (escaped == 'x' && position + 3 < end
            && Utf8Parser.TryParse(_buffer.AsSpan(position + 2, 2), out byte value, out var read, 'X') && read == 2)
        {
            position += 3;
            return value;
        }

        position++;
        return escaped switch
        {
            (byte)'n' => (byte)'\n',
            (byte)'r' => (byte)'\r',
            (byte)'t' => (byte)'\t',
            (byte)'b' => (byte)'\b',
            (byte)'a' => (byte)'\a',
            _ => escaped,
        };
    }

    private static bool IsBlank(byte letter) => letter is (byte)' ' or (>= 9 and <= 13);
}
