using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RedisLatency.Workloads.Keys;

/// <summary>xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64; one thread, cache lines of its own.</summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal sealed class RandomSource
{
    [FieldOffset(128)]
    private ulong _s0;

    [FieldOffset(136)]
    private ulong _s1;

    [FieldOffset(144)]
    private ulong _s2;

    [FieldOffset(152)]
    private ulong _s3;

    [FieldOffset(160)]
    private readonly ulong _seed;

    public RandomSource(ulong seed)
    {
        _seed = seed;
        var state = seed;
        _s0 = SplitMix64.Next(ref state);
        _s1 = SplitMix64.Next(ref state);
        _s2 = SplitMix64.Next(ref state);
        _s3 = SplitMix64.Next(ref state);
    }

    public RandomSource(ulong s0, ulong s1, ulong s2, ulong s3) => (_s0, _s1, _s2, _s3) = (s0, s1, s2, s3);

    /// <summary>Depends on the seed and the worker alone, not on what was drawn before.</summary>
    public RandomSource Split(int worker) =>
        new(SplitMix64.Mix(SplitMix64.Mix(_seed + SplitMix64.Step) + (SplitMix64.Step * ((ulong)worker + 1))));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong NextUInt64()
    {
        ulong s0 = _s0, s1 = _s1, s2 = _s2, s3 = _s3;
        var result = BitOperations.RotateLeft(s1 * 5, 7) * 9;
        var shifted = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= shifted;
        _s0 = s0;
        _s1 = s1;
        _s2 = s2;
        _s3 = BitOperations.RotateLeft(s3, 45);
        return result;
    }

    /// <summary>A number from 0 up to, not including, 1: a multiple of 2^-53.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double NextDouble() => (NextUInt64() >> 11) * (1.0 / (1UL << 53));

    /// <summary>A number above 0 up to and including 1, for logarithms.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double NextPositiveDouble() => ((NextUInt64() >> 11) + 1) * (1.0 / (1UL << 53));

    /// <summary>Equally likely: Lemire, Fast Random Integer Generation in an Interval, ACM TOMACS 29 (2019).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Below(ulong bound)
    {
        var high = Math.BigMul(NextUInt64(), bound, out var low);
        return low < bound ? BelowAgain(bound, high, low) : high;
    }

    public void Fill(Span<byte> target)
    {
        while (target.Length >= sizeof(ulong))
        {
            MemoryMarshal.Write(target, NextUInt64());
            target = target[sizeof(ulong)..];
        }

        for (var rest = target.IsEmpty ? 0 : NextUInt64(); !target.IsEmpty; rest >>= 8)
        {
            target[0] = (byte)rest;
            target = target[1..];
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ulong BelowAgain(ulong bound, ulong high, ulong low)
    {
        var biased = (0 - bound) % bound;
        while (low < biased)
            high = Math.BigMul(NextUInt64(), bound, out low);
        return high;
    }
}

/// <summary>Sebastiano Vigna, splitmix64.c (2015), after Steele, Lea and Flood, OOPSLA 2014. One to one.</summary>
internal static class SplitMix64
{
    public const ulong Step = 0x9E3779B97F4A7C15;

    public static ulong Mix(ulong state)
    {
        state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
        state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
        return state ^ (state >> 31);
    }

    public static ulong Next(ref ulong state) => Mix(state += Step);
}
