using System.Numerics;
using System.Runtime.CompilerServices;

namespace RedisLatency.Workloads.Keys;

/// <summary>
/// Writes numbers in decimal, two digits at a time: a table of 200 bytes stays in the cache, one of four digits, 40 KB,
/// does not.
/// </summary>
internal static class DecimalDigits
{
    private static ReadOnlySpan<byte> TwoDigits =>
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"u8
        + "4950515253545556575859606162636465666768697071727374757677787980818283848586878889909192939495969798"u8
        + "99"u8;

    private static ReadOnlySpan<ulong> Powers =>
    [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ];

    /// <summary>How many digits a number has, 1 to 20.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Count(ulong number)
    {
        // 1233 / 4096 is close enough to log10(2) for 64 bits; the comparison mends the last step.
        var digits = ((64 - BitOperations.LeadingZeroCount(number | 1)) * 1233) >> 12;
        return number < Powers[digits] ? Math.Max(1, digits) : digits + 1;
    }

    public static void Fill(Span<byte> target, ulong number)
    {
        var end = target.Length;
        while (end >= 2)
        {
            var rest = number / 100;
            TwoDigits.Slice((int)(number - (rest * 100)) * 2, 2).CopyTo(target[(end - 2)..]);
            number = rest;
            end -= 2;
        }

        if (end > 0)
            target[0] = (byte)('0' + (number % 10));
    }
}
