using System.Numerics;
using System.Runtime.InteropServices;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// Hands values from one measuring thread to one other: of fixed size, without locks, waits or allocations. What finds
/// no room is counted and not kept, because the measuring thread must not wait for it.
/// </summary>
/// <typeparam name="T">The value; copied in and out.</typeparam>
/// <remarks>
/// <para>
/// Positions only grow; a slot is the position's low bits. The writer alone stores <c>_written</c>, the reader alone
/// <c>_read</c>, each with release and each read by the other with acquire, which is all that is needed:
/// </para>
/// <para>
/// The slot is stored before the release store of <c>_written</c>, so a reader whose acquire load sees the new position
/// sees the slot whole. The reader's loads of a slot come before its release store of <c>_read</c>, so a writer whose
/// acquire load sees that position may overwrite the slot: the reader has its copy. A load that sees an older position
/// makes either side believe that there is less to do than there is, never more.
/// </para>
/// </remarks>
public class HandoverRing<T>
    where T : struct
{
    private readonly T[] _slots;
    private RingPosition _written;
    private RingPosition _read;

    /// <summary>Makes a ring; all of its memory is allocated and touched here.</summary>
    /// <param name="capacity">How many values it holds at least.</param>
    public HandoverRing(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        _slots = new T[BitOperations.RoundUpToPowerOf2((uint)capacity)];

        // Large arrays come from the kernel as pages that are not there yet: the measuring thread shall not fault.
        Array.Clear(_slots);
    }

    /// <summary>How many values it holds at most.</summary>
    public int Capacity => _slots.Length;

    /// <summary>How many values found no room so far. From any thread.</summary>
    public long Overflowed => Volatile.Read(ref _written.Overflowed);

    /// <summary>Appends a value. Only ever from the writing thread.</summary>
    /// <returns>Whether there was room; if not, it was counted.</returns>
    public bool TryAppend(in T value)
    {
        var position = _written.Value;
        if (position - _written.OtherSeen >= _slots.Length)
        {
            _written.OtherSeen = Volatile.Read(ref _read.Value);
            if (position - _written.OtherSeen >= _slots.Length)
            {
                Volatile.Write(ref _written.Overflowed, _written.Overflowed + 1);
                return false;
            }
        }

        _slots[position & (_slots.Length - 1)] = value;
        Volatile.Write(ref _written.Value, position + 1);
        return true;
    }

    /// <summary>Takes the oldest values out. Only ever from the reading thread.</summary>
    /// <param name="into">Where to; filled as far as there are values.</param>
    /// <returns>How many were taken.</returns>
    public int Take(Span<T> into)
    {
        var position = _read.Value;
        var count = (int)Math.Min(Volatile.Read(ref _written.Value) - position, into.Length);
        for (var i = 0; i < count; i++)
            into[i] = _slots[(position + i) & (_slots.Length - 1)];
        Volatile.Write(ref _read.Value, position + count);
        return count;
    }
}

/// <summary>
/// One side's own numbers of a ring, away from the other side's by two lines of the cache, which processors fetch in
/// pairs: without the distance every take would slow down the next append.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingPosition
{
    [FieldOffset(128)]
    internal long Value;

    [FieldOffset(136)]
    internal long OtherSeen;

    [FieldOffset(144)]
    internal long Overflowed;
}
