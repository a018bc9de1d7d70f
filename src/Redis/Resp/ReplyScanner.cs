using System.Runtime.CompilerServices;

namespace RedisLatency.Redis.Resp;

/// <summary>
/// Finds replies in received bytes without allocating, for who only counts them. It remembers how far it came into a
/// reply that is not whole yet, so that no byte of a long one is looked at twice. One per connection.
/// </summary>
/// <param name="limits">What is accepted.</param>
public sealed class ReplyScanner(RespLimits? limits = null)
{
    private const int LongestUsualLine = 64;

    private readonly RespLimits _limits = limits ?? RespLimits.Default;
    private readonly RespScanner _scanner = new(limits ?? RespLimits.Default);
    private bool _isInside;

    /// <summary>Looks for a whole reply at the beginning of the bytes.</summary>
    /// <param name="bytes">From the reply's first byte. After false, the same bytes with those that came since.</param>
    /// <param name="reply">What it is; its places count from the first byte.</param>
    /// <returns>False while bytes are missing.</returns>
    /// <exception cref="RedisProtocolException">What came is no RESP or beyond the limits.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(ReadOnlySpan<byte> bytes, out ScannedReply reply)
    {
        if (bytes.Length >= 3 && !_isInside)
        {
            switch (bytes[0])
            {
                case (byte)'+' when bytes.Length >= 5 && bytes[3] == '\r' && bytes[4] == '\n' && !IsLineEnd(bytes[1])
                    && !IsLineEnd(bytes[2]):
                    reply = new ScannedReply(RespType.SimpleString, 5, 1, 2, 1, 0, false);
                    return true;
                case (byte)'$' when TryReadBulk(bytes, out reply):
                    return true;
                case (byte)'_' when bytes[1] == '\r' && bytes[2] == '\n':
                    reply = new ScannedReply(RespType.Null, 3, 1, 0, 0, 1, false);
                    return true;
                case (byte)':' when TryReadInteger(bytes, out reply):
                    return true;
            }
        }

        return TryReadAny(bytes, out reply);
    }

    /// <summary>Forgets the reply it is in: the connection is a new one.</summary>
    public void Reset()
    {
        _scanner.Reset();
        _isInside = false;
    }

    private static bool IsLineEnd(byte one) => one is (byte)'\r' or (byte)'\n';

    private static bool TryReadBulk(ReadOnlySpan<byte> bytes, out ScannedReply reply)
    {
        var length = 0;
        var position = 1;
        // Five digits at most: what is longer is not often here, and does not fit a receive buffer.
        while (position < 6 && position < bytes.Length && (uint)(bytes[position] - '0') <= 9)
            length = (length * 10) + (bytes[position++] - '0');
        var content = position + 2;
        var end = content + length + 2;
        if (position > 1 && end <= bytes.Length && bytes[position] == '\r' && bytes[position + 1] == '\n'
            && bytes[end - 2] == '\r' && bytes[end - 1] == '\n')
        {
            reply = new ScannedReply(RespType.BulkString, end, content, length, 1, 0, false);
            return true;
        }

        if (bytes.Length >= 5 && bytes.StartsWith("$-1\r\n"u8))
        {
            reply = new ScannedReply(RespType.BulkString, 5, 5, 0, 0, 1, false);
            return true;
        }

        reply = default;
        return false;
    }

    private static bool TryReadInteger(ReadOnlySpan<byte> bytes, out ScannedReply reply)
    {
        var position = 1;
        while (position < bytes.Length && position < LongestUsualLine && (uint)(bytes[position] - '0') <= 9)
            position++;
        if (position > 1 && position <= 19 && position + 1 < bytes.Length && bytes[position] == '\r'
            && bytes[position + 1] == '\n')
        {
            reply = new ScannedReply(RespType.Integer, position + 2, 1, position - 1, 1, 0, false);
            return true;
        }

        reply = default;
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReadAny(ReadOnlySpan<byte> bytes, out ScannedReply reply)
    {
        if (!_scanner.TryFindEnd(bytes, out var length))
        {
            if (bytes.Length > _limits.MaxFrameLength)
                throw RespFault.TooLong("reply", bytes.Length, _limits.MaxFrameLength);
            _isInside = bytes.Length > 0;
            reply = default;
            return false;
        }

        _isInside = false;
        reply = Classify(bytes[..length]);
        return true;
    }

    private ScannedReply Classify(ReadOnlySpan<byte> frame)
    {
        var cursor = new RespCursor(frame, _limits);
        var type = cursor.Type;
        var (start, count) = Place(frame, cursor.Content);
        var (values, nulls, hasError) = (0, 0, false);
        do
        {
            if (cursor.IsError)
            {
                if (!hasError)
                    (start, count) = Place(frame, cursor.Content);
                hasError = true;
            }
            else if (cursor.IsNull)
            {
                nulls++;
            }
            else if (cursor.Type is not (RespType.Array or RespType.Map or RespType.Set or RespType.Push))
            {
                values++;
            }
        }
        while (cursor.MoveNext());
        return new ScannedReply(type, frame.Length, start, count, values, nulls, hasError);
    }

    private static (int Start, int Length) Place(ReadOnlySpan<byte> frame, ReadOnlySpan<byte> content) =>
        (frame.Overlaps(content, out var offset) ? offset : 0, content.Length);
}
