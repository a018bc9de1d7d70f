using System.Numerics;

namespace RedisLatency.Workloads.Keys;

/// <summary>One worker's keys by index, on one thread; no draw allocates. All workers agree on popular keys.</summary>
internal abstract class KeyChooser(KeySpace space)
{
    protected long First { get; } = space.First;

    protected long Count { get; private set; } = space.Count;

    public abstract long Next(RandomSource random);

    /// <summary>All up to this one may be drawn from now on; an index below one told before changes nothing.</summary>
    public void Grow(long lastAcknowledged)
    {
        if (lastAcknowledged - First < Count)
            return;
        Count = lastAcknowledged - First + 1;
        Resize();
    }

    /// <summary>Works out anew what depends on the count.</summary>
    protected virtual void Resize()
    {
    }
}

/// <summary>Every key equally likely, added ones included.</summary>
internal sealed class UniformChooser(KeySpace space) : KeyChooser(space)
{
    public override long Next(RandomSource random) => First + (long)random.Below((ulong)Count);
}

/// <summary>Above 2^40 keys a double tells too few apart: it draws a cell of keys, random bits the key in it.</summary>
internal readonly struct CoarseCells(long count)
{
    private const int Bits = 40;

    private readonly int _shift = Math.Max(0, 64 - BitOperations.LeadingZeroCount((ulong)count) - Bits);

    /// <summary>The position, from 0, of a draw from 0 up to the count; it may be at or beyond the count.</summary>
    public long At(double draw, RandomSource random) => _shift == 0
        ? (long)draw
        : ((long)draw >> _shift << _shift) | (long)(random.NextUInt64() >> (64 - _shift));
}
