using System.Numerics;

namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// Whole positions from continuous draws: a double tells a trillion keys apart but not 10^18, so above 2^40 keys the
/// draw chooses a cell of keys and random bits the key in it. Without them most keys would never be drawn.
/// </summary>
internal readonly struct CoarseCells(long count)
{
    private const int Bits = 40;

    private readonly int _shift = Math.Max(0, 64 - BitOperations.LeadingZeroCount((ulong)count) - Bits);

    /// <summary>The position, from 0, of a draw from 0 up to the count; it may be at or beyond the count.</summary>
    public long At(double draw, RandomSource random) => _shift == 0
        ? (long)draw
        : ((long)draw >> _shift << _shift) | (long)(random.NextUInt64() >> (64 - _shift));
}
