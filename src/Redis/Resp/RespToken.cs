using System.Buffers;
using System.Buffers.Text;

namespace RedisLatency.Redis.Resp;

/// <summary>One element as it stands in a buffer: its type, its number or count, and where its content lies.</summary>
internal readonly struct RespToken(RespType type, long number, int contentStart, int contentLength, int end)
{
    // Sign, 19 digits and a little room: a longer number line cannot be right, however much of it is still to come.
    private const int MaxNumberLength = 24;

    private static readonly SearchValues<byte> InDouble = SearchValues.Create("+-.0123456789eE"u8);

    public RespType Type { get; } = type;

    /// <summary>An integer's value, a boolean's 0 or 1, the count of an aggregate, -1 for RESP2's nulls.</summary>
    public long Number { get; } = number;

    public int ContentStart { get; } = contentStart;

    public int ContentLength { get; } = contentLength;

    /// <summary>Where the next element begins: for an aggregate its first child.</summary>
    public int End { get; } = end;

    public long Children => Type switch
    {
        RespType.Map or RespType.Attribute => Number * 2,
        RespType.Array or RespType.Set or RespType.Push => Math.Max(Number, 0),
        _ => 0,
    };

    public bool IsNull => Type == RespType.Null || (Number < 0 && Type is RespType.BulkString or RespType.Array);

    /// <summary>Reads the element that begins at <paramref name="start"/>; false while bytes are missing.</summary>
    public static bool TryRead(ReadOnlySpan<byte> buffer, int start, RespLimits limits, out RespToken token)
    {
        token = default;
        if (start >= buffer.Length)
            return false;
        var type = (RespType)buffer[start];
        switch (type)
        {
            case RespType.BulkString or RespType.BulkError or RespType.VerbatimString:
                return TryReadBulk(buffer, start, type, limits, out token);
            case RespType.Integer or RespType.Array or RespType.Map or RespType.Set or RespType.Push
                or RespType.Attribute:
                return TryReadNumbered(buffer, start, type, out token);
            case RespType.SimpleString or RespType.Error or RespType.Null or RespType.Boolean or RespType.Double
                or RespType.BigNumber:
                return TryReadLine(buffer, start, type, limits, out token);
            default:
                throw RespFault.UnknownType(buffer[start..]);
        }
    }

    /// <summary>Whether a bulk string begins there, and how long it is; its content need not have come.</summary>
    public static bool TryReadBulkLength(ReadOnlySpan<byte> buffer, int start, out long length, out int content)
    {
        (length, content) = (0, 0);
        return start < buffer.Length && buffer[start] == (byte)RespType.BulkString
            && TryReadNumber(buffer, start, out length, out content);
    }

    private static bool TryReadBulk(
        ReadOnlySpan<byte> buffer, int start, RespType type, RespLimits limits, out RespToken token)
    {
        token = default;
        if (!TryReadNumber(buffer, start, out var length, out var contentStart))
            return false;
        if (length < 0)
        {
            if (length != -1 || type != RespType.BulkString)
                throw RespFault.Count(type, length);
            token = new RespToken(type, -1, contentStart, 0, contentStart);
            return true;
        }

        if (length > limits.MaxBulkLength)
            throw RespFault.TooLong("bulk string", length, limits.MaxBulkLength);
        if (type == RespType.VerbatimString && length < 4)
            throw RespFault.Verbatim();
        var end = contentStart + length;
        if (end < buffer.Length && buffer[(int)end] != '\r')
            throw RespFault.MissingLineEnd(type);
        if (end + 1 >= buffer.Length)
            return false;
        if (buffer[(int)end + 1] != '\n')
            throw RespFault.MissingLineEnd(type);
        var skip = 0;
        if (type == RespType.VerbatimString)
        {
            // Three letters of format and a colon stand before the text: "txt:", "mkd:".
            skip = 4;
            if (buffer[contentStart + 3] != ':')
                throw RespFault.Verbatim();
        }

        token = new RespToken(type, length, contentStart + skip, (int)length - skip, (int)end + 2);
        return true;
    }

    private static bool TryReadNumbered(ReadOnlySpan<byte> buffer, int start, RespType type, out RespToken token)
    {
        token = default;
        if (!TryReadNumber(buffer, start, out var number, out var end))
            return false;
        if (type != RespType.Integer)
        {
            if (number < (type == RespType.Array ? -1 : 0))
                throw RespFault.Count(type, number);
            if (number > int.MaxValue)
                throw RespFault.TooLong("aggregate", number, int.MaxValue);
        }

        token = new RespToken(type, number, start + 1, end - start - 3, end);
        return true;
    }

    private static bool TryReadLine(
        ReadOnlySpan<byte> buffer, int start, RespType type, RespLimits limits, out RespToken token)
    {
        token = default;
        if (!TryFindLineEnd(buffer, start, limits.MaxLineLength, type, out var length))
            return false;
        var content = buffer.Slice(start + 1, length);
        var number = 0L;
        switch (type)
        {
            case RespType.Null when length != 0:
            case RespType.Boolean when length != 1 || content[0] is not ((byte)'t' or (byte)'f'):
            case RespType.Double when !IsDouble(content):
            case RespType.BigNumber when !IsBigNumber(content):
                throw RespFault.Malformed(type, content);
            case RespType.Boolean:
                number = content[0] == 't' ? 1 : 0;
                break;
        }

        token = new RespToken(type, number, start + 1, length, start + length + 3);
        return true;
    }

    private static bool TryReadNumber(ReadOnlySpan<byte> buffer, int start, out long number, out int end)
    {
        number = 0;
        end = 0;
        // The usual case: one to a few digits, all there.
        var position = start + 1;
        while (position < buffer.Length && (uint)(buffer[position] - '0') <= 9 && position - start < 18)
            number = (number * 10) + (buffer[position++] - '0');
        if (position > start + 1 && position + 1 < buffer.Length && buffer[position] == '\r'
            && buffer[position + 1] == '\n')
        {
            end = position + 2;
            return true;
        }

        return TryReadUnusualNumber(buffer, start, out number, out end);
    }

    private static bool TryReadUnusualNumber(ReadOnlySpan<byte> buffer, int start, out long number, out int end)
    {
        number = 0;
        end = 0;
        var type = (RespType)buffer[start];
        if (start + 1 < buffer.Length && buffer[start + 1] == '?')
            throw RespFault.Streamed(type);
        if (!TryFindLineEnd(buffer, start, MaxNumberLength, type, out var length))
            return false;
        var digits = buffer.Slice(start + 1, length);
        var unsigned = digits is [(byte)'+', ..] ? digits[1..] : digits;
        if (unsigned.IsEmpty || (digits.Length != unsigned.Length && unsigned[0] is (byte)'-' or (byte)'+')
            || !Utf8Parser.TryParse(unsigned, out number, out var used) || used != unsigned.Length)
            throw RespFault.Malformed(type, digits);
        end = start + length + 3;
        return true;
    }

    private static bool TryFindLineEnd(
        ReadOnlySpan<byte> buffer, int start, int maxLength, RespType type, out int length)
    {
        var line = buffer[(start + 1)..];
        length = line.IndexOfAny((byte)'\r', (byte)'\n');
        if ((length < 0 ? line.Length : length) > maxLength)
            throw RespFault.TooLong("line", length < 0 ? line.Length : length, maxLength);
        if (length < 0)
            return false;
        if (line[length] == '\n')
            throw RespFault.MissingLineEnd(type);
        if (length + 1 >= line.Length)
            return false;
        return line[length + 1] == '\n' ? true : throw RespFault.MissingLineEnd(type);
    }

    private static bool IsDouble(ReadOnlySpan<byte> content)
    {
        if (content.SequenceEqual("inf"u8) || content.SequenceEqual("-inf"u8) || content.SequenceEqual("nan"u8)
            || content.SequenceEqual("-nan"u8))
            return true;
        return !content.IsEmpty && content.IndexOfAnyExcept(InDouble) < 0
            && Utf8Parser.TryParse(content, out double _, out var used) && used == content.Length;
    }

    private static bool IsBigNumber(ReadOnlySpan<byte> content)
    {
        var digits = content is [(byte)'+' or (byte)'-', ..] ? content[1..] : content;
        return !digits.IsEmpty && digits.IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0;
    }
}
