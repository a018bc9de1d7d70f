using System.Runtime.CompilerServices;

namespace RedisLatency.Workloads.Commands;

/// <summary>
/// Requests on their way to the socket, in pinned memory, which grows where needed and stays so. Where it keeps them,
/// those that were sent stay before those that were not, until they are released in their order.
/// </summary>
internal sealed class RequestBuffer(int capacity = 64 << 10, bool keepsSent = false)
{
    private byte[] _bytes = GC.AllocateUninitializedArray<byte>(capacity, pinned: true);
    private int _kept;
    private int _sent;
    private int _end;

    /// <summary>Bytes that are not sent yet.</summary>
    public int Length => _end - _sent;

    /// <summary>What is not sent yet.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(_sent, Length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpace(int minimum)
    {
        if (_bytes.Length - _end < minimum)
            MakeRoom(minimum);
        return _bytes.AsSpan(_end);
    }

    public void Advance(int count) => _end += count;

    public void Write(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpace(bytes.Length));
        _end += bytes.Length;
    }

    public void Clear() => (_kept, _sent, _end) = (0, 0, 0);

    /// <summary>All that was written is sent.</summary>
    public void MarkSent()
    {
        if (keepsSent)
            _sent = _end;
        else
            _end = 0;
    }

    /// <summary>The first bytes of those that are kept.</summary>
    public ReadOnlySpan<byte> Oldest(int length) => _bytes.AsSpan(_kept, length);

    /// <summary>The first bytes are not sent again.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Release(int length)
    {
        if (!keepsSent)
            return;
        _kept += length;
        if (_kept == _end)
            Clear();
    }

    // What is released makes room as soon as it is the half: so no byte is moved more than once on average.
    private void MakeRoom(int minimum)
    {
        var live = _end - _kept;
        var target = _bytes;
        if (_kept < live || live + (long)minimum > _bytes.Length)
        {
            var length = (int)Math.Min(Math.Max(_bytes.Length * 2L, live + (long)minimum), Array.MaxLength);
            target = GC.AllocateUninitializedArray<byte>(length, pinned: true);
        }

        _bytes.AsSpan(_kept, live).CopyTo(target);
        _bytes = target;
        (_kept, _sent, _end) = (0, _sent - _kept, live);
    }
}
