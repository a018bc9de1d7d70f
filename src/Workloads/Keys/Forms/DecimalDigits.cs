using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RedisLatency.Workloads.Keys.Forms;

/// <summary>
/// Decimal digits, four at a time from a table: a key costs a few nanoseconds instead of the dozen of
/// <c>Utf8Formatter</c>.
/// </summary>
internal static class DecimalDigits
{
    private static readonly uint[] FourDigits = MakeFourDigits();

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

    /// <summary>Fills a span with a number's lowest digits, with zeros before them where it has fewer.</summary>
    public static void Fill(Span<byte> target, ulong number)
    {
        var end = target.Length;
        while (end >= 4)
        {
            var rest = number / 10_000;
            MemoryMarshal.Write(target[(end - 4)..], in FourDigits[(int)(number - (rest * 10_000))]);
            number = rest;
            end -= 4;
        }

        for (; end > 0; end--, number /= 10)
            target[end - 1] = (byte)('0' + (number % 10));
    }

    private static uint[] MakeFourDigits()
    {
        var table = new uint[10_000];
        Span<byte> digits = stackalloc byte[4];
        for (var number = 0; number < table.Length; number++)
        {
            for (int place = 3, rest = number; place >= 0; place--, rest /= 10)
                digits[place] = (byte)('0' + (rest % 10));
            table[number] = MemoryMarshal.Read<uint>(digits);
        }

        return table;
    }
}
