namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// Bytes that wait, in order: those the kernel did not take at once, or the beginning of a reply. Its memory comes with
/// the first such byte and stays.
/// </summary>
public sealed class ByteQueue
{
    private byte[] _buffer = [];
    private int _start;
    private int _end;

    /// <summary>How many bytes wait.</summary>
    public int Length => _end - _start;

    /// <summary>The bytes that wait; valid until the next call.</summary>
    public ReadOnlySpan<byte> Bytes => _buffer.AsSpan(_start, Length);

    /// <summary>Adds bytes behind the others.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (_buffer.Length - _end < bytes.Length)
            MakeRoom(bytes.Length);
        bytes.CopyTo(_buffer.AsSpan(_end));
        _end += bytes.Length;
    }

    /// <summary>Forgets the first bytes.</summary>
    public void Drop(int count)
    {
        _start += count;
        if (_start == _end)
            _start = _end = 0;
    }

    private void MakeRoom(int count)
    {
        var kept = Length;
        var target = _buffer;
        if (kept + count > _buffer.Length / 2)
        {
            var length = Math.Max(4096L, 2L * (kept + (long)count));
            target = GC.AllocateUninitializedArray<byte>((int)Math.Min(length, Array.MaxLength), pinned: true);
        }

        Bytes.CopyTo(target);
        (_buffer, _start, _end) = (target, 0, kept);
    }
}
