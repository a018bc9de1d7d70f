using System.Buffers.Binary;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// The 40 bytes before the counts: cookie, length of the counts in bytes, normalizing index offset, digits, lowest and
/// highest value, integer-to-double ratio; big-endian. The word size is 0 where counts are of variable length (V2),
/// else the bytes of a count (V1).
/// </summary>
internal readonly record struct HistogramHeader(int PayloadLength, int Digits, long Lowest, long Highest, int WordSize)
{
    internal const int Length = 40;
    internal const int Cookie = 0x1c849313;
    internal const int CompressedCookie = 0x1c849314;
    internal const int CompressedCookieV1 = 0x1c849302;
    internal const int CompressedHeaderLength = 8;
    internal const int WordSizeMask = 0xf0;

    private const int CookieBaseV1 = 0x1c849301;
    private const int CookieBaseV2 = 0x1c849303;

    internal static void Write(Span<byte> target, LatencyHistogram histogram, int payloadLength)
    {
        BinaryPrimitives.WriteInt32BigEndian(target, Cookie);
        BinaryPrimitives.WriteInt32BigEndian(target[4..], payloadLength);
        BinaryPrimitives.WriteInt32BigEndian(target[8..], 0);
        BinaryPrimitives.WriteInt32BigEndian(target[12..], histogram.SignificantDigits);
        BinaryPrimitives.WriteInt64BigEndian(target[16..], histogram.LowestDiscernible);
        BinaryPrimitives.WriteInt64BigEndian(target[24..], histogram.HighestTrackable);
        BinaryPrimitives.WriteDoubleBigEndian(target[32..], 1);
    }

    internal static HistogramHeader Read(ReadOnlySpan<byte> source)
    {
        if (source.Length < Length)
            throw new HistogramFormatException($"{source.Length} bytes are too few for a histogram.");
        var cookie = BinaryPrimitives.ReadInt32BigEndian(source);
        var ratio = BinaryPrimitives.ReadDoubleBigEndian(source[32..]);
        if (ratio != 1)
            throw new HistogramFormatException($"The histogram holds integers scaled by {ratio}: not supported.");

        // Readers do not agree on what it means for the counts that follow: Java's keep their places, C's move.
        if (BinaryPrimitives.ReadInt32BigEndian(source[8..]) is not 0 and var rotated)
        {
            throw new HistogramFormatException(
                $"The histogram's places are shifted by {rotated} (its normalizing index): not supported.");
        }

        return new HistogramHeader(
            BinaryPrimitives.ReadInt32BigEndian(source[4..]),
            BinaryPrimitives.ReadInt32BigEndian(source[12..]),
            BinaryPrimitives.ReadInt64BigEndian(source[16..]),
            BinaryPrimitives.ReadInt64BigEndian(source[24..]),
            WordSizeOf(cookie));
    }

    /// <summary>An empty histogram of its form: the spare one where that has it.</summary>
    internal LatencyHistogram CreateHistogram(LatencyHistogram? spare)
    {
        LatencyHistogram histogram;
        try
        {
            histogram = spare is not null && (spare.LowestDiscernible, spare.HighestTrackable, spare.SignificantDigits)
                == (Lowest, Highest, Digits) ? spare : new LatencyHistogram(Lowest, Highest, Digits);
            histogram.Reset();
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw new HistogramFormatException(
                $"No histogram has {Digits} digits from {Lowest} to {Highest}: {e.Message}", e);
        }

        var longest = (long)histogram.Counts.Length * (WordSize == 0 ? ZigZagLeb128.MaxLength : WordSize);
        return PayloadLength >= 0 && PayloadLength <= longest
            ? histogram
            : throw new HistogramFormatException($"{PayloadLength} bytes of counts where {longest} are the most.");
    }

    private static int WordSizeOf(int cookie) => (cookie & ~WordSizeMask, (cookie & WordSizeMask) >> 4) switch
    {
        (CookieBaseV2, _) => 0,
        (CookieBaseV1, (2 or 4 or 8) and var size) => size,
        _ => throw new HistogramFormatException($"0x{cookie:x8} does not begin a histogram in V1 or V2 encoding."),
    };
}
