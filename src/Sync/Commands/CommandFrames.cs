using RedisLatency.Redis;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

/// <summary>
/// Finds commands in received bytes, and their words, without copying or allocating. It remembers how far it came into
/// a command that is not whole yet, so that no byte of a long one is looked at twice. One per stream.
/// </summary>
internal sealed class CommandFrames
{
    private const int MostWords = 64 << 20;
    private const int LongestHeader = 16;

    private WordSpan[] _words = new WordSpan[64];
    private int _count;
    private int _expected;
    private int _position;

    // Bytes of a command that is not whole, up to the end of the word that is awaited.
    public long Awaited { get; private set; }

    /// <summary>The words of the command that was found, by their places in its frame.</summary>
    public ReadOnlySpan<WordSpan> Words => _words.AsSpan(0, _count);

    /// <summary>Looks for a whole command at the beginning of the bytes.</summary>
    /// <param name="bytes">From the command's first byte. After false, the same with those that came since.</param>
    /// <param name="frame">The command.</param>
    /// <returns>False while bytes are missing.</returns>
    /// <exception cref="RedisProtocolException">What came is no array of bulk strings.</exception>
    public bool TryRead(ReadOnlySpan<byte> bytes, out ReadOnlySpan<byte> frame)
    {
        frame = default;
        if (_position == 0 && !TryBegin(bytes))
            return false;
        while (_count < _expected)
        {
            if (!TryReadNumber(bytes, _position, (byte)'$', int.MaxValue, out var length, out var start))
                return false;
            Awaited = (long)start + length + 2;
            if (Awaited > Array.MaxLength)
            {
                throw new RedisProtocolException(
                    $"word {_count + 1} of a command ends more than 2 GiB behind its beginning");
            }

            if (bytes.Length < Awaited)
                return false;

            if (bytes[start + length] != '\r' || bytes[start + length + 1] != '\n')
                throw new RedisProtocolException($"word {_count + 1} of a command has no line end behind it");
            Add(new WordSpan(start, length));
            _position = start + length + 2;
        }

        frame = bytes[.._position];
        (_position, Awaited) = (0, 0);
        return true;
    }

    /// <summary>Forgets the command it is in: the stream is a new one.</summary>
    public void Reset() => (_position, Awaited) = (0, 0);

    private bool TryBegin(ReadOnlySpan<byte> bytes)
    {
        if (!TryReadNumber(bytes, 0, (byte)'*', MostWords, out _expected, out _position))
            return false;
        _count = 0;
        return _expected > 0 ? true : throw new RedisProtocolException("a command without a name");
    }

    private void Add(WordSpan word)
    {
        if (_count == _words.Length)
            Array.Resize(ref _words, _count * 2);
        _words[_count++] = word;
    }

    private static bool TryReadNumber(
        ReadOnlySpan<byte> bytes, int at, byte type, int most, out int number, out int end)
    {
        (number, end) = (0, 0);
        if (at >= bytes.Length)
            return false;
        if (bytes[at] != type)
        {
            throw new RedisProtocolException(
                $"'{(char)type}' was expected in a command, and byte 0x{bytes[at]:x2} came");
        }

        var value = 0L;
        for (var place = at + 1; place < bytes.Length; place++)
        {
            var digit = bytes[place] - '0';
            if ((uint)digit <= 9 && place - at <= LongestHeader)
            {
                value = (value * 10) + digit;
                continue;
            }

            if (bytes[place] != '\r' || place == at + 1 || value > most)
                break;
            if (place + 1 == bytes.Length)
                return false;
            if (bytes[place + 1] != '\n')
                break;
            (number, end) = ((int)value, place + 2);
            return true;
        }

        return bytes.Length - at <= LongestHeader && bytes[(at + 1)..].IndexOfAnyExceptInRange((byte)'0', (byte)'9') < 0
            ? false
            : throw new RedisProtocolException(
                $"the number behind a command's '{(char)type}' is missing, or not between 0 and {most:N0}");
    }
}
