using HdrHistogram;
using HdrHistogram.Encoding;
using HdrHistogram.Utilities;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>What tests need of the package of HdrHistogram for .NET: our range, bytes instead of buffers.</summary>
internal static class HdrHistogramPackage
{
    /// <summary>From here on the package takes the lowest values of its last bucket for others.</summary>
    public const long FirstMisplaced = 1L << 41;

    private const long OneHour = 3_600_000_000_000;

    public static LongHistogram Recorded(params IEnumerable<long> values)
    {
        var histogram = new LongHistogram(1, OneHour, 3);
        foreach (var value in values)
            histogram.RecordValue(value);
        return histogram;
    }

    public static byte[] Encode(HistogramBase histogram)
    {
        var buffer = ByteBuffer.Allocate(histogram.GetNeededByteBufferCapacity());
        return Read(buffer, histogram.Encode(buffer, HistogramEncoderV2.Instance));
    }

    public static byte[] EncodeCompressed(HistogramBase histogram)
    {
        var buffer = ByteBuffer.Allocate(histogram.GetNeededByteBufferCapacity());
        return Read(buffer, histogram.EncodeIntoCompressedByteBuffer(buffer));
    }

    public static HistogramBase Decode(ReadOnlySpan<byte> encoded) =>
        HistogramEncoding.DecodeFromByteBuffer(ByteBuffer.Allocate(encoded.ToArray()), 0);

    public static HistogramBase DecodeCompressed(ReadOnlySpan<byte> encoded) =>
        HistogramEncoding.DecodeFromCompressedByteBuffer(ByteBuffer.Allocate(encoded.ToArray()), 0);

    /// <summary>Each value that was counted, as the highest of its equivalents, and how often.</summary>
    public static IEnumerable<(long Highest, long Count)> Counts(HistogramBase histogram) =>
        histogram.RecordedValues().Select(value => (value.ValueIteratedTo, value.CountAtValueIteratedTo));

    public static List<(long Highest, long Count)> Counts(LatencyHistogram histogram)
    {
        var counts = new List<(long, long)>();
        foreach (var value in histogram.RecordedValues)
            counts.Add((value.Highest, value.Count));
        return counts;
    }

    private static byte[] Read(ByteBuffer buffer, int length)
    {
        buffer.Position = 0;
        var bytes = new byte[length];
        for (var i = 0; i < length; i++)
            bytes[i] = buffer.Get();
        return bytes;
    }
}
