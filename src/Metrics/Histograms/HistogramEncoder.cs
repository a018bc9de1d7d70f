using System.Buffers.Binary;
using System.IO.Compression;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// Writes histograms in HdrHistogram's V2 encoding, plain or compressed, into buffers that it keeps: after the first
/// ones it allocates nothing for the plain form, and a few hundred bytes (the runtime's compressor) for the other.
/// </summary>
/// <remarks>
/// The format is that of <c>AbstractHistogram.encodeIntoByteBuffer</c> and <c>encodeIntoCompressedByteBuffer</c> of the
/// Java HdrHistogram 2.1.12. It has no place for values out of range. Not safe for several threads at once.
/// </remarks>
public sealed class HistogramEncoder
{
    private byte[] _plain = [];
    private byte[] _compressed = [];

    /// <summary>The plain encoding.</summary>
    /// <returns>Valid until the next call.</returns>
    public ReadOnlySpan<byte> Encode(LatencyHistogram histogram)
    {
        Reserve(ref _plain, HistogramHeader.Length + ((histogram.LastIndex + 1) * ZigZagLeb128.MaxLength));
        var payloadLength = WriteCounts(_plain.AsSpan(HistogramHeader.Length), histogram);
        HistogramHeader.Write(_plain, histogram, payloadLength);
        return _plain.AsSpan(0, HistogramHeader.Length + payloadLength);
    }

    /// <summary>The encoding that interval logs hold: a cookie, a length, and the plain one as a zlib stream.</summary>
    /// <returns>Valid until the next call.</returns>
    public ReadOnlySpan<byte> EncodeCompressed(LatencyHistogram histogram)
    {
        var plain = Encode(histogram);

        // What does not compress is stored, in blocks with five bytes of their own.
        Reserve(ref _compressed, plain.Length + (plain.Length / 256) + 64);
        using var target = new MemoryStream(_compressed);
        target.Position = HistogramHeader.CompressedHeaderLength;
        using (var zlib = new ZLibStream(target, CompressionLevel.Optimal, leaveOpen: true))
            zlib.Write(plain);

        var encoded = _compressed.AsSpan(0, (int)target.Position);
        BinaryPrimitives.WriteInt32BigEndian(encoded, HistogramHeader.CompressedCookie);
        BinaryPrimitives.WriteInt32BigEndian(encoded[4..], encoded.Length - HistogramHeader.CompressedHeaderLength);
        return encoded;
    }

    private static void Reserve(ref byte[] buffer, int length)
    {
        if (buffer.Length < length)
            buffer = new byte[Math.Max(length, 2 * buffer.Length)];
    }

    private static int WriteCounts(Span<byte> target, LatencyHistogram histogram)
    {
        var rest = histogram.Counts[..(histogram.LastIndex + 1)];
        var length = 0;
        while (!rest.IsEmpty)
        {
            var zeros = rest.IndexOfAnyExcept(0L) is var distance && distance < 0 ? rest.Length : distance;

            // A run of zeros is its negative length, but a single one is itself.
            length += ZigZagLeb128.Write(target[length..], zeros switch { 0 => rest[0], 1 => 0, _ => -zeros });
            rest = rest[Math.Max(zeros, 1)..];
        }

        return length;
    }
}
