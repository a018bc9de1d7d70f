using System.ComponentModel;
using System.Numerics;
using System.Runtime.InteropServices;

namespace RedisLatency.Redis.EventLoops;

/// <summary>
/// The buffers that the kernel receives into, for all connections together: it takes one where bytes have come, not one
/// per connection beforehand (IORING_REGISTER_PBUF_RING; Linux 5.19).
/// </summary>
internal sealed unsafe class ReceiveBuffers : IDisposable
{
    public const ushort Group = 1;

    private const int LeastBuffers = 16;
    private const int MostBuffers = 256;
    private const int Length = 16 << 10;

    // Beginnings that all lie on the same place of a page would compete for the same lines of the cache.
    private const int Stride = Length + 192;
    private const int EntrySize = 16;
    private const int TailOffset = 14;

    private readonly int _mask;
    private readonly byte* _ring;
    private readonly byte* _memory;
    private ushort _tail;
    private bool _isDisposed;

    /// <param name="queues">The ring.</param>
    /// <param name="connections">
    /// How many connections there are: each needs one at most, as a rule, and the fewer there are the more of them stay
    /// in the cache.
    /// </param>
    public ReceiveBuffers(UringQueues queues, int connections)
    {
        var count = Math.Clamp((int)BitOperations.RoundUpToPowerOf2((uint)connections), LeastBuffers, MostBuffers);
        _mask = count - 1;
        _ring = (byte*)NativeMemory.AlignedAlloc((nuint)(count * EntrySize), 4096);
        _memory = (byte*)NativeMemory.AlignedAlloc((nuint)(count * Stride), 4096);
        NativeMemory.Clear(_ring, (nuint)(count * EntrySize));
        var registration = stackalloc ulong[5] { (ulong)_ring, (uint)count | ((ulong)Group << 32), 0, 0, 0 };
        if (queues.Register(UringInterop.RegisterBufferRing, registration, 1) < 0)
        {
            var error = Marshal.GetLastSystemError();
            Dispose();
            throw new Win32Exception(error);
        }

        for (var buffer = 0; buffer < count; buffer++)
            Add(buffer);
        Publish();
    }

    ~ReceiveBuffers() => Free();

    public ReadOnlySpan<byte> Bytes(int buffer, int length) => new(_memory + ((nint)buffer * Stride), length);

    public void Return(int buffer)
    {
        Add(buffer);
        Publish();
    }

    public void Dispose()
    {
        Free();
        GC.SuppressFinalize(this);
    }

    private void Add(int buffer)
    {
        var entry = _ring + ((_tail++ & _mask) * EntrySize);
        *(ulong*)entry = (ulong)(_memory + ((nint)buffer * Stride));
        *(uint*)(entry + 8) = Length;
        *(ushort*)(entry + 12) = (ushort)buffer;
    }

    private void Publish() => Volatile.Write(ref *(ushort*)(_ring + TailOffset), _tail);

    private void Free()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        NativeMemory.AlignedFree(_ring);
        NativeMemory.AlignedFree(_memory);
    }
}
