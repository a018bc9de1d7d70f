using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Encoding;

/// <summary>
/// Reads HdrHistogram's V2 encoding and the older V1, plain or compressed. Every length is checked before it is
/// believed: whatever the bytes are, the result is a histogram or a <see cref="HistogramFormatException"/>, and the
/// memory taken is bounded by the largest histogram there is (five digits over the whole range, 48 MiB) and its
/// encoding.
/// </summary>
public static class HistogramDecoder
{
    /// <summary>Reads one histogram, which takes up all of the bytes.</summary>
    /// <exception cref="HistogramFormatException">They are something else.</exception>
    public static LatencyHistogram Decode(ReadOnlySpan<byte> encoded)
    {
        if (encoded.Length < HistogramHeader.CompressedHeaderLength)
            throw new HistogramFormatException($"{encoded.Length} bytes are too few for a histogram.");
        return IsCompressed(BinaryPrimitives.ReadInt32BigEndian(encoded))
            ? CompressedHistogram.Decode(encoded)
            : DecodePlain(encoded);
    }

    /// <summary>Reads one histogram from base64, as interval logs hold it.</summary>
    /// <param name="base64">ASCII.</param>
    /// <exception cref="HistogramFormatException">It is something else.</exception>
    public static LatencyHistogram DecodeBase64(ReadOnlySpan<byte> base64)
    {
        var rented = ArrayPool<byte>.Shared.Rent(Base64.GetMaxDecodedFromUtf8Length(base64.Length));
        try
        {
            return Base64.DecodeFromUtf8(base64, rented, out _, out var length) == OperationStatus.Done
                ? Decode(rented.AsSpan(0, length))
                : throw new HistogramFormatException("The histogram is not whole, valid base64.");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    /// <inheritdoc cref="DecodeBase64(ReadOnlySpan{byte})"/>
    public static LatencyHistogram DecodeBase64(string base64)
    {
        ArgumentNullException.ThrowIfNull(base64);
        return DecodeBase64(System.Text.Encoding.UTF8.GetBytes(base64));
    }

    private static bool IsCompressed(int cookie) =>
        (cookie & ~HistogramHeader.WordSizeMask)
            is (HistogramHeader.CompressedCookie & ~HistogramHeader.WordSizeMask) or HistogramHeader.CompressedCookieV1;

    private static LatencyHistogram DecodePlain(ReadOnlySpan<byte> encoded)
    {
        var header = HistogramHeader.Read(encoded);
        var histogram = header.CreateHistogram();
        var counts = encoded[HistogramHeader.Length..];
        if (counts.Length != header.PayloadLength)
        {
            throw new HistogramFormatException(
                $"{counts.Length} bytes of counts where the header says {header.PayloadLength}.");
        }

        HistogramCounts.Read(counts, header.WordSize, histogram);
        return histogram;
    }
}
