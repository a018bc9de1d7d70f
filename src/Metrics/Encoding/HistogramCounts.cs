using System.Buffers.Binary;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Encoding;

/// <summary>The counts behind the header, in the order of their values up to the largest recorded one.</summary>
internal static class HistogramCounts
{
    /// <exception cref="HistogramFormatException">They do not fit into the histogram.</exception>
    internal static void Read(ReadOnlySpan<byte> source, int wordSize, LatencyHistogram histogram)
    {
        var index = 0;
        while (!source.IsEmpty)
        {
            var count = wordSize == 0 ? ReadVariable(ref source) : ReadFixed(ref source, wordSize);

            // Not -count, which is still negative for the smallest long.
            if (count < 0 ? count < index - histogram.Counts.Length : index == histogram.Counts.Length)
                throw new HistogramFormatException("There are more counts than the histogram's range has places.");
            if (count > long.MaxValue - histogram.TotalCount)
                throw new HistogramFormatException("The counts add up to more than 2^63 - 1.");
            if (count > 0)
                histogram.RecordAt(index, count);
            index += count < 0 ? (int)-count : 1;
        }
    }

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
