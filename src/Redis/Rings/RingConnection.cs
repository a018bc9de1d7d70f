using System.Runtime.InteropServices;
using RedisLatency.Redis.EventLoops;

namespace RedisLatency.Redis.Rings;

/// <summary>A connection of a ring; its id is taken until the kernel has nothing more to say of it.</summary>
internal sealed unsafe class RingConnection(int id, int token, int descriptor)
{
    private byte[] _out = GC.AllocateUninitializedArray<byte>(1024, pinned: true);
    private int _outStart;

    public int Id { get; } = id;

    public int Token { get; } = token;

    public int Descriptor { get; } = descriptor;

    /// <summary>What was last asked to be sent, and is not known to have been.</summary>
    public int OutLength { get; set; }

    public byte* OutAddress => (byte*)Marshal.UnsafeAddrOfPinnedArrayElement(_out, _outStart);

    /// <summary>The last entry to send at once, and null where there is none.</summary>
    public SubmissionEntry* Entry { get; set; }

    public long EntryPosition { get; set; }

    /// <summary>Whether the kernel will say when it has sent all of it.</summary>
    public bool IsSending { get; set; }

    public bool IsReceiving { get; set; }

    public bool IsRemoved { get; set; }

    /// <summary>What came to be sent while the kernel was sending.</summary>
    public ByteQueue Waiting { get; } = new();

    public Span<byte> GetOut(int length)
    {
        if (OutLength == 0)
            _outStart = 0;
        var needed = OutLength + length;
        if (_out.Length - _outStart < needed)
        {
            var larger = GC.AllocateUninitializedArray<byte>(Math.Max(needed, _out.Length * 2), pinned: true);
            _out.AsSpan(_outStart, OutLength).CopyTo(larger);
            (_out, _outStart) = (larger, 0);
        }

        return _out.AsSpan(_outStart + OutLength, length);
    }

    public void DropOut(int count)
    {
        _outStart += count;
        OutLength -= count;
    }

    public void TakeWaiting()
    {
        if (Waiting.Length == 0)
            return;
        Waiting.Bytes.CopyTo(GetOut(Waiting.Length));
        OutLength = Waiting.Length;
        Waiting.Drop(Waiting.Length);
    }
}
