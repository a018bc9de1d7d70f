using System.Runtime.CompilerServices;

namespace RedisLatency.Workloads.Commands;

/// <summary>Requests on their way to the socket, in pinned memory, which grows where needed and stays so.</summary>
internal sealed class RequestBuffer
{
    private byte[] _bytes;

    public RequestBuffer(int capacity = 64 << 10) =>
        _bytes = GC.AllocateUninitializedArray<byte>(capacity, pinned: true);

    public int Length { get; private set; }

    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, Length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpace(int minimum)
    {
        if (_bytes.Length - Length < minimum)
            Grow(minimum);
        return _bytes.AsSpan(Length);
    }

    public void Advance(int count) => Length += count;

    public void Write(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpace(bytes.Length));
        Length += bytes.Length;
    }

    public void Clear() => Length = 0;

    private void Grow(int minimum)
    {
        var length = (int)Math.Min(Math.Max(_bytes.Length * 2L, Length + (long)minimum), Array.MaxLength);
        var larger = GC.AllocateUninitializedArray<byte>(length, pinned: true);
        Written.CopyTo(larger);
        _bytes = larger;
    }
}
