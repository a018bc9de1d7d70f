using RedisLatency.Redis;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Sources;

/// <summary>Received bytes of a stream of commands, and the commands that are whole among them.</summary>
internal sealed class CommandBuffer
{
    private const int Least = 256 << 10;
    private const int MostKept = 8 << 20;

    // When so much of a command is there, its announced length is believed, and no more memory taken than it needs.
    private const int Believed = 4 << 20;
    private const int MostUnused = 64;

    private readonly CommandFrames _frames = new();
    private byte[] _bytes = GC.AllocateUninitializedArray<byte>(Least);
    private int _start;
    private int _end;
    private int _unused;

    /// <summary>Bytes that have not become a command yet.</summary>
    public ReadOnlySpan<byte> Unread => _bytes.AsSpan(_start, _end - _start);

    /// <summary>The words of the command that was found.</summary>
    public ReadOnlySpan<WordSpan> Words => _frames.Words;

    public void Clear()
    {
        (_start, _end) = (0, 0);
        _frames.Reset();
    }

    /// <summary>Room to receive into. It grows with what has come, never with what is announced.</summary>
    public Span<byte> GetSpace()
    {
        if (_start == _end)
            Clear();
        if (_start == _end && _bytes.Length > MostKept && _unused > MostUnused)
            _bytes = GC.AllocateUninitializedArray<byte>(Least);
        if (_end == _bytes.Length)
            MakeRoom();
        return _bytes.AsSpan(_end);
    }

    public void Advance(int count) => _end += count;

    public void Append(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            var space = GetSpace();
            var count = Math.Min(space.Length, bytes.Length);
            bytes[..count].CopyTo(space);
            Advance(count);
            bytes = bytes[count..];
        }
    }

    /// <summary>Forgets bytes that are no command.</summary>
    public void Skip(int count) => _start += count;

    /// <summary>Takes the next whole command; valid until the next call.</summary>
    /// <exception cref="RedisProtocolException">What stands there is none.</exception>
    public bool TryRead(out ReadOnlySpan<byte> frame)
    {
        if (_start == _end || !_frames.TryRead(Unread, out frame))
        {
            frame = default;
            return false;
        }

        _start += frame.Length;
        _unused = frame.Length > Believed ? 0 : _unused + 1;
        return true;
    }

    // The command that was read last, without a copy; valid until the next is read.
    public ReadOnlyMemory<byte> MemoryOfLast(int length) => _bytes.AsMemory(_start - length, length);

    private void MakeRoom()
    {
        var unread = Unread;
        var isLong = unread.Length >= Believed && _frames.Awaited > unread.Length;
        if (isLong ? _frames.Awaited > _bytes.Length : unread.Length > _bytes.Length / 2)
        {
            if (_bytes.Length == Array.MaxLength)
                throw new RedisProtocolException("a command of more than 2 GiB");
            var size = isLong ? _frames.Awaited + Least : 2L * _bytes.Length;
            var larger = GC.AllocateUninitializedArray<byte>((int)Math.Min(size, Array.MaxLength));
            unread.CopyTo(larger);
            _bytes = larger;
        }
        else
        {
            unread.CopyTo(_bytes);
        }

        (_start, _end) = (0, unread.Length);
    }
}
