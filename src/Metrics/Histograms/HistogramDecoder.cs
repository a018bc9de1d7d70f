using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.IO.Compression;
using System.Runtime.CompilerServices;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// Reads HdrHistogram's V2 encoding and the older V1, plain or compressed. Every length is checked before it is
/// believed: whatever the bytes are, the result is a histogram or a <see cref="HistogramFormatException"/>, and the
/// memory taken is bounded by the largest histogram there is (five digits over the whole range, 48 MiB) and its
/// encoding.
/// </summary>
public static class HistogramDecoder
{
    private const int ChecksumLength = 4;

    /// <summary>Reads one histogram, which takes up all of the bytes.</summary>
    /// <exception cref="HistogramFormatException">They are something else.</exception>
    public static LatencyHistogram Decode(ReadOnlySpan<byte> encoded) => Decode(encoded, null);

    private static LatencyHistogram Decode(ReadOnlySpan<byte> encoded, LatencyHistogram? spare)
    {
        if (encoded.Length < HistogramHeader.CompressedHeaderLength)
            throw new HistogramFormatException($"{encoded.Length} bytes are too few for a histogram.");
        return IsCompressed(BinaryPrimitives.ReadInt32BigEndian(encoded))
            ? DecodeCompressed(encoded, spare)
            : DecodePlain(encoded, spare);
    }

    /// <summary>Reads one histogram from base64, as interval logs hold it.</summary>
    /// <param name="base64">All of it.</param>
    /// <param name="spare">One that is no longer wanted, and is the result where it has the same buckets.</param>
    /// <exception cref="HistogramFormatException">It is something else.</exception>
    public static LatencyHistogram DecodeBase64(ReadOnlySpan<byte> base64, LatencyHistogram? spare = null)
    {
        var rented = ArrayPool<byte>.Shared.Rent(Base64.GetMaxDecodedFromUtf8Length(base64.Length));
        try
        {
            return Base64.DecodeFromUtf8(base64, rented, out _, out var length) == OperationStatus.Done
                ? Decode(rented.AsSpan(0, length), spare)
                : throw new HistogramFormatException("The histogram is not whole, valid base64.");
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    private static bool IsCompressed(int cookie) =>
        (cookie & ~HistogramHeader.WordSizeMask)
            is (HistogramHeader.CompressedCookie & ~HistogramHeader.WordSizeMask) or HistogramHeader.CompressedCookieV1;

    private static LatencyHistogram DecodePlain(ReadOnlySpan<byte> encoded, LatencyHistogram? spare)
    {
        var header = HistogramHeader.Read(encoded);
        var histogram = header.CreateHistogram(spare);
        var counts = encoded[HistogramHeader.Length..];
        if (counts.Length != header.PayloadLength)
        {
            throw new HistogramFormatException(
                $"{counts.Length} bytes of counts where the header says {header.PayloadLength}.");
        }

        ReadCounts(counts, header.WordSize, histogram);
        return histogram;
    }

    // A plain encoding as a zlib stream behind a cookie and a length.
    private static LatencyHistogram DecodeCompressed(ReadOnlySpan<byte> encoded, LatencyHistogram? spare)
    {
        var zlib = encoded[HistogramHeader.CompressedHeaderLength..];
        var length = BinaryPrimitives.ReadInt32BigEndian(encoded[4..]);
        if (zlib.Length != length || length < ChecksumLength)
            throw new HistogramFormatException($"{zlib.Length} compressed bytes where the header says {length}.");
        try
        {
            return Inflate(zlib, spare);
        }
        catch (Exception e) when (e is InvalidDataException or IOException)
        {
            throw new HistogramFormatException("The compressed histogram is damaged.", e);
        }
    }

    private static LatencyHistogram Inflate(ReadOnlySpan<byte> zlib, LatencyHistogram? spare)
    {
        using var stream = new ZLibStream(new MemoryStream(zlib.ToArray()), CompressionMode.Decompress);
        Span<byte> start = stackalloc byte[HistogramHeader.Length];
        var header = HistogramHeader.Read(start[..stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)]);
        var histogram = header.CreateHistogram(spare);

        // The header limits what is inflated; memory grows only with what is really there.
        using var counts = new MemoryStream();
        stream.CopyUpTo(header.PayloadLength, counts);
        if (counts.Length != header.PayloadLength || stream.ReadByte() >= 0)
        {
            throw new HistogramFormatException(
                $"There are not the {header.PayloadLength} bytes of counts that the header says.");
        }

        // The runtime's stream does not complain of a missing end, and so of a missing checksum.
        var payload = counts.GetBuffer().AsSpan(0, (int)counts.Length);
        if (Adler32(Adler32(1, start), payload) != BinaryPrimitives.ReadUInt32BigEndian(zlib[^ChecksumLength..]))
            throw new HistogramFormatException("The compressed histogram's checksum is wrong.");
        ReadCounts(payload, header.WordSize, histogram);
        return histogram;
    }

    private static void CopyUpTo(this Stream source, int length, MemoryStream target)
    {
        Span<byte> chunk = stackalloc byte[4_096];
        while (target.Length < length)
        {
            var read = source.Read(chunk[..(int)Math.Min(chunk.Length, length - target.Length)]);
            if (read == 0)
                return;
            target.Write(chunk[..read]);
        }
    }

    // RFC 1950, section 8.2.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static uint Adler32(uint start, ReadOnlySpan<byte> bytes)
    {
        const uint Modulus = 65_521;
        // So many bytes are added up before 32 bits could overflow.
        const int Unreduced = 5_552;
        var low = start & 0xFFFF;
        var high = start >> 16;
        while (!bytes.IsEmpty)
        {
            var part = bytes[..Math.Min(Unreduced, bytes.Length)];
            foreach (var value in part)
            {
                low += value;
                high += low;
            }

            low %= Modulus;
            high %= Modulus;
            bytes = bytes[part.Length..];
        }

        return (high << 16) | low;
    }

    // The counts behind the header, in the order of their values up to the largest recorded one. Optimised at once: a
    // log of an hour is read before the runtime's profiling of it would end.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void ReadCounts(ReadOnlySpan<byte> source, int wordSize, LatencyHistogram histogram)
    {
        var index = 0;
        var (from, to) = (0, 0);
        while (!source.IsEmpty)
        {
            var count = wordSize == 0 ? ReadVariable(ref source) : ReadFixed(ref source, wordSize);

            // Not -count, which is still negative for the smallest long.
            if (count < 0 ? count < index - histogram.Counts.Length : index == histogram.Counts.Length)
                throw new HistogramFormatException("There are more counts than the histogram's range has places.");
            if (count > long.MaxValue - histogram.TotalCount)
                throw new HistogramFormatException("The counts add up to more than 2^63 - 1.");
            if (count > 0)
            {
                histogram.RecordAt(index, count);
                if (to == 0)
                    from = index;
                to = index + 1;
            }

            index += count < 0 ? (int)-count : 1;
        }

        histogram.KnowUsed(from, to);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static long ReadVariable(ref ReadOnlySpan<byte> source) =>
        ZigZagLeb128.TryRead(ref source, out var count)
            ? count
            : throw new HistogramFormatException("The counts end within a number.");

    private static long ReadFixed(ref ReadOnlySpan<byte> source, int wordSize)
    {
        if (source.Length < wordSize)
            throw new HistogramFormatException("The counts end within a number.");
        var count = wordSize switch
        {
            2 => BinaryPrimitives.ReadInt16BigEndian(source),
            4 => BinaryPrimitives.ReadInt32BigEndian(source),
            _ => BinaryPrimitives.ReadInt64BigEndian(source),
        };
        source = source[wordSize..];
        return count >= 0 ? count : throw new HistogramFormatException("A count is negative.");
    }
}
