using System.Runtime.InteropServices;

namespace RedisLatency.Workloads.Keys;

// Worker w of W takes the positions w, w + W, w + 2W … of the endless sequence: together the order of YCSB's shared
// counter (SequentialGenerator) without sharing one.
internal sealed class SequentialChooser(KeySpace space, int worker, int workers) : KeyChooser(space)
{
    private IsolatedIndex _next = new() { Value = worker % space.Count };

    public override long Next(RandomSource random)
    {
        var position = _next.Value;
        var following = position + workers;
        _next.Value = following < Count ? following : following % Count;
        return First + position;
    }
}

// One key after the other, every worker in a part of its own, as memtier's P: worker w of W has the keys from
// ⌊w · n / W⌋ up to ⌊(w + 1) · n / W⌋ of those at the start. One whose part is empty draws where it would begin.
internal sealed class PartitionedChooser : KeyChooser
{
    private readonly long _start;
    private readonly long _end;
    private IsolatedIndex _next;

    public PartitionedChooser(KeySpace space, int worker, int workers)
        : base(space)
    {
        _start = space.First + (long)((UInt128)space.Count * (uint)worker / (uint)workers);
        _end = space.First + (long)((UInt128)space.Count * ((uint)worker + 1) / (uint)workers);
        _next.Value = _start;
    }

    public override long Next(RandomSource random)
    {
        var key = _next.Value;
        _next.Value = key + 1 < _end ? key + 1 : _start;
        return key;
    }
}

/// <summary>An index that one worker writes at every draw, alone on its cache lines and their neighbours.</summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct IsolatedIndex
{
    [FieldOffset(128)]
    internal long Value;
}
