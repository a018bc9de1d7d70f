namespace RedisLatency.Redis.Resp;

/// <content>Inline commands: words between blanks, quoted as <c>sdssplitargs</c> of Redis does.</content>
public sealed partial class RespRequestReader
{
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
            && TryHex(_buffer[position + 2], out var high) && TryHex(_buffer[position + 3], out var low))
        {
            position += 3;
            return (byte)((high << 4) | low);
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

    private static bool TryHex(byte digit, out int value)
    {
        value = char.IsAsciiHexDigit((char)digit) ? Convert.ToInt32(((char)digit).ToString(), 16) : -1;
        return value >= 0;
    }

    private static bool IsBlank(byte letter) => letter is (byte)' ' or (>= 9 and <= 13);
}
