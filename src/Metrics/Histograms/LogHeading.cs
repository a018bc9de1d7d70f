using System.Buffers.Text;

namespace RedisLatency.Metrics.Histograms;

/// <summary>What the comments of an interval log have said so far; times are seconds since the epoch.</summary>
internal sealed class LogHeading
{
    private const decimal SecondsOfAYear = 365 * 24 * 3_600;

    internal static ReadOnlySpan<byte> OutOfRangePrefix => "#[OutOfRange: above="u8;

    internal static ReadOnlySpan<byte> OutOfRangeMiddle => " below="u8;

    internal decimal? StartTime { get; private set; }

    /// <summary>What the intervals' starts count from.</summary>
    internal decimal? BaseTime { get; private set; }

    /// <summary>Values above and below the range that the next interval does not hold.</summary>
    internal (long Above, long Below) OutOfRange { get; set; }

    internal void Read(ReadOnlySpan<byte> comment)
    {
        if (TryCut(ref comment, "#[StartTime:"u8))
            StartTime = IntervalLine.Seconds(FirstWord(comment));
        else if (TryCut(ref comment, "#[BaseTime:"u8))
            BaseTime = IntervalLine.Seconds(FirstWord(comment));
        else if (TryCut(ref comment, "#[Histogram log format version "u8))
            CheckVersion(comment);
        else if (TryCut(ref comment, OutOfRangePrefix))
            OutOfRange = ReadOutOfRange(comment);
    }

    internal decimal Absolute(decimal start)
    {
        // Without a base time, as HistogramLogReader.java (2.1.12): more than a year before the run is relative to it.
        BaseTime ??= StartTime is { } startTime && start < startTime - SecondsOfAYear ? startTime : 0;
        return IntervalLine.InRange(BaseTime.Value + start);
    }

    private static bool TryCut(ref ReadOnlySpan<byte> text, ReadOnlySpan<byte> prefix)
    {
        if (!text.StartsWith(prefix))
            return false;
        text = text[prefix.Length..];
        return true;
    }

    private static ReadOnlySpan<byte> FirstWord(ReadOnlySpan<byte> text)
    {
        text = text.TrimStart((byte)' ');
        var end = text.IndexOfAny(" ,]"u8);
        return end < 0 ? text : text[..end];
    }

    private static void CheckVersion(ReadOnlySpan<byte> version)
    {
        if (version is not [(byte)'1', (byte)'.', >= (byte)'1' and <= (byte)'3', (byte)']', ..])
        {
            throw new HistogramFormatException(
                $"Version {System.Text.Encoding.ASCII.GetString(FirstWord(version))} of the format is not 1.1 to 1.3.");
        }
    }

    private static (long Above, long Below) ReadOutOfRange(ReadOnlySpan<byte> text) =>
        Utf8Parser.TryParse(text, out long above, out var length)
            && text[length..].StartsWith(OutOfRangeMiddle)
            && Utf8Parser.TryParse(text[(length + OutOfRangeMiddle.Length)..], out long below, out _)
            && above >= 0
            && below >= 0
            ? (above, below)
            : throw new HistogramFormatException("Values out of range are announced, but not how many.");
}
