using System.Buffers.Binary;
using System.IO.Compression;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Encoding;

/// <summary>A plain encoding as a zlib stream behind a cookie and a length.</summary>
internal static class CompressedHistogram
{
    private const int ChecksumLength = 4;

    /// <exception cref="HistogramFormatException">It is not one.</exception>
    internal static LatencyHistogram Decode(ReadOnlySpan<byte> encoded)
    {
        var zlib = encoded[HistogramHeader.CompressedHeaderLength..];
        var length = BinaryPrimitives.ReadInt32BigEndian(encoded[4..]);
        if (zlib.Length != length || length < ChecksumLength)
            throw new HistogramFormatException($"{zlib.Length} compressed bytes where the header says {length}.");
        try
        {
            return Inflate(zlib);
        }
        catch (Exception e) when (e is InvalidDataException or IOException)
        {
            throw new HistogramFormatException("The compressed histogram is damaged.", e);
        }
    }

    private static LatencyHistogram Inflate(ReadOnlySpan<byte> zlib)
    {
        using var stream = new ZLibStream(new MemoryStream(zlib.ToArray()), CompressionMode.Decompress);
        Span<byte> start = stackalloc byte[HistogramHeader.Length];
        var header = HistogramHeader.Read(start[..stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)]);
        var histogram = header.CreateHistogram();

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
        HistogramCounts.Read(payload, header.WordSize, histogram);
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
    private static uint Adler32(uint start, ReadOnlySpan<byte> bytes)
    {
        const uint Modulus = 65_521;
        var low = start & 0xFFFF;
        var high = start >> 16;
        foreach (var value in bytes)
        {
            low = (low + value) % Modulus;
            high = (high + low) % Modulus;
        }

        return (high << 16) | low;
    }
}
