using System.Numerics;

namespace RedisLatency.Workloads.Distributions;

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
