using System.Globalization;
using RedisLatency.Metrics.Encodings;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.IntervalLogs;

/// <summary>What an interval's line says: <c>Tag=rtt,1.000,1.000,0.299,HISTF…</c>, the tag being optional.</summary>
internal readonly record struct IntervalLine(string? Tag, decimal Start, decimal Length, LatencyHistogram Histogram)
{
    // The seconds of the years 1 to 9999, seen from 1970: what lies outside is not a time.
    private const decimal FirstSecond = -62_135_596_800;
    private const decimal LastSecond = 253_402_300_799;

    /// <exception cref="HistogramFormatException">It is not an interval's line.</exception>
    internal static IntervalLine Parse(ReadOnlySpan<byte> line)
    {
        string? tag = null;
        if (line.StartsWith("Tag="u8))
            tag = System.Text.Encoding.UTF8.GetString(NextField(ref line)[4..]);
        var start = Seconds(NextField(ref line));
        var length = Seconds(NextField(ref line));

        // The largest value, for readers that do not decode the histogram.
        _ = NextField(ref line);
        return new IntervalLine(tag, start, length, HistogramDecoder.DecodeBase64(line));
    }

    /// <exception cref="HistogramFormatException">They are no number, or no time.</exception>
    internal static decimal Seconds(ReadOnlySpan<byte> text) =>
        decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var seconds)
            ? InRange(seconds)
            : throw new HistogramFormatException("There is no time where the line should have one.");

    /// <exception cref="HistogramFormatException">They are no time.</exception>
    internal static decimal InRange(decimal seconds) =>
        seconds is >= FirstSecond and <= LastSecond
            ? seconds
            : throw new HistogramFormatException($"{seconds} seconds since the epoch are not a time.");

    private static ReadOnlySpan<byte> NextField(ref ReadOnlySpan<byte> line)
    {
        var comma = line.IndexOf((byte)',');
        if (comma < 0)
            throw new HistogramFormatException("The line has too few fields.");
        var field = line[..comma];
        line = line[(comma + 1)..];
        return field;
    }
}
