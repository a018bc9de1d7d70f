using System.Runtime.CompilerServices;

namespace RedisLatency.Metrics.Histograms;

/// <summary>"ZigZag LEB128-64b9B": 7 bits a byte, 8 in the ninth (ZigZagEncoding.java, HdrHistogram 2.1.12).</summary>
internal static class ZigZagLeb128
{
    internal const int MaxLength = 9;

    internal static int Write(Span<byte> target, long value)
    {
        var rest = (ulong)((value << 1) ^ (value >> 63));
        var length = 0;
        while (rest >= 0x80 && length < MaxLength - 1)
        {
            target[length++] = (byte)(rest | 0x80);
            rest >>= 7;
        }

        target[length++] = (byte)rest;
        return length;
    }

    /// <summary>Takes the number off the front of the source; false where the source ends within it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryRead(ref ReadOnlySpan<byte> source, out long value)
    {
        // Counts are small: nearly all are one byte.
        if (!source.IsEmpty && source[0] < 0x80)
        {
            value = (source[0] >> 1) ^ -(source[0] & 1);
            source = source[1..];
            return true;
        }

        var bits = 0UL;
        for (var index = 0; index < MaxLength && index < source.Length; index++)
        {
            var isLast = index == MaxLength - 1 || source[index] < 0x80;
            bits |= (isLast ? source[index] : source[index] & 0x7FUL) << (7 * index);
            if (isLast)
            {
                source = source[(index + 1)..];
                value = (long)(bits >> 1) ^ -(long)(bits & 1);
                return true;
            }
        }

        value = 0;
        return false;
    }
}
