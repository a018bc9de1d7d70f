using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// Writes an HdrHistogram interval log, format 1.3: ASCII, one line an interval, readable by the public tools
/// (HistogramLogProcessor, HistogramLogAnalyzer, hdr-plot). Histograms are of nanoseconds.
/// </summary>
/// <remarks>
/// <para>
/// An interval is one write and one flush, so that a process killed at any moment leaves a log that can be read to its
/// last whole interval. In steady state an interval allocates about 300 bytes, the runtime's compressor.
/// </para>
/// <para>
/// The format has no place for values out of range. Where there are any, a comment in front of the interval's line
/// tells how many, <c>#[OutOfRange: above=3 below=1]</c>; other readers skip it, <see cref="IntervalLogReader"/>
/// counts them.
/// </para>
/// <para>Errors of the stream are not caught. Not safe for several threads at once.</para>
/// </remarks>
public sealed class IntervalLogWriter
{
    private const long NanosecondsPerMicrosecond = 1_000;

    private static readonly SearchValues<char> TagBreakers = SearchValues.Create(", \r\n\t");

    private readonly Stream _stream;
    private readonly DateTimeOffset _baseTime;
    private readonly HistogramEncoder _encoder = new();
    private readonly AsciiLine _line = new();

    /// <summary>Writes the heading at once.</summary>
    /// <param name="stream">Where to; stays the caller's to dispose.</param>
    /// <param name="startTime">When the run began; the intervals' starts are written as seconds since then.</param>
    /// <param name="writtenBy">Program and version, for the first comment.</param>
    public IntervalLogWriter(Stream stream, DateTimeOffset startTime, string writtenBy)
    {
        _stream = stream;
        _baseTime = DateTimeOffset.FromUnixTimeMilliseconds(startTime.ToUnixTimeMilliseconds());
        var seconds = (_baseTime.ToUnixTimeMilliseconds() / 1_000m).ToString("F3", CultureInfo.InvariantCulture);
        var date = _baseTime.UtcDateTime.ToString("ddd MMM dd HH:mm:ss 'UTC' yyyy", CultureInfo.InvariantCulture);
        _line.Append(
            $"""
            #[Logged with {OneAsciiLine(writtenBy)}]
            #[Histogram log format version 1.3]
            #[StartTime: {seconds} (seconds since epoch), {date}]
            #[BaseTime: {seconds} (seconds since epoch)]
            "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"

            """.ReplaceLineEndings("\n"));
        WriteOut();
    }

    /// <summary>Writes an interval of nanoseconds; a tag has neither comma nor white space, and null is none.</summary>
    /// <exception cref="ArgumentException">The tag has characters that would break the line.</exception>
    public void Write(string? tag, DateTimeOffset start, TimeSpan length, LatencyHistogram histogram)
    {
        if (tag is not null && (tag.AsSpan().ContainsAny(TagBreakers) || !Ascii.IsValid(tag) || tag.Length == 0))
            throw new ArgumentException($"'{tag}' is not a tag: ASCII without comma and white space.", nameof(tag));

        if (histogram.AboveRange != 0 || histogram.BelowRange != 0)
            AppendOutOfRange(histogram);
        if (tag is not null)
        {
            _line.Append("Tag="u8);
            _line.Append(tag);
            _line.Append(","u8);
        }

        // Start and end are rounded, not start and length, so that neighbours stay neighbours.
        var startMilliseconds = Milliseconds(start - _baseTime);
        _line.AppendThousandths(startMilliseconds);
        _line.Append(","u8);
        _line.AppendThousandths(Milliseconds(start - _baseTime + length) - startMilliseconds);
        _line.Append(","u8);
        _line.AppendThousandths(Thousandths(histogram.Max, NanosecondsPerMicrosecond));
        _line.Append(","u8);
        _line.AppendBase64(_encoder.EncodeCompressed(histogram));
        _line.Append("\n"u8);
        WriteOut();
    }

    private static long Milliseconds(TimeSpan time) =>
        (long)Math.Floor((time.Ticks + (TimeSpan.TicksPerMillisecond / 2.0)) / TimeSpan.TicksPerMillisecond);

    private static long Thousandths(long value, long unit) => (value / unit) + (value % unit >= unit / 2 ? 1 : 0);

    private static string OneAsciiLine(string text) =>
        string.Concat(text.Select(character => character is >= ' ' and <= '~' ? character : '?'));

    private void AppendOutOfRange(LatencyHistogram histogram)
    {
        _line.Append(LogHeading.OutOfRangePrefix);
        _line.AppendNumber(histogram.AboveRange);
        _line.Append(LogHeading.OutOfRangeMiddle);
        _line.AppendNumber(histogram.BelowRange);
        _line.Append("]\n"u8);
    }

    private void WriteOut()
    {
        try
        {
            _stream.Write(_line.Bytes);
            _stream.Flush();
        }
        finally
        {
            _line.Clear();
        }
    }
}

internal sealed class AsciiLine
{
    private const int LongestNumber = 20;

    private byte[] _buffer = new byte[1_024];
    private int _length;

    internal ReadOnlySpan<byte> Bytes => _buffer.AsSpan(0, _length);

    internal void Clear() => _length = 0;

    internal void Append(string text) => _length += System.Text.Encoding.ASCII.GetBytes(text, Reserve(text.Length));

    internal void Append(ReadOnlySpan<byte> text)
    {
        text.CopyTo(Reserve(text.Length));
        _length += text.Length;
    }

    internal void AppendNumber(long number)
    {
        number.TryFormat(Reserve(LongestNumber), out var written, default, CultureInfo.InvariantCulture);
        _length += written;
    }

    /// <summary>A number of thousandths with a point and three decimals.</summary>
    internal void AppendThousandths(long thousandths)
    {
        if (thousandths < 0)
            Append("-"u8);
        var magnitude = Math.Abs(thousandths);
        AppendNumber(magnitude / 1_000);
        Append("."u8);
        (magnitude % 1_000).TryFormat(Reserve(3), out var written, "000", CultureInfo.InvariantCulture);
        _length += written;
    }

    internal void AppendBase64(ReadOnlySpan<byte> bytes)
    {
        Base64.EncodeToUtf8(bytes, Reserve(Base64.GetMaxEncodedToUtf8Length(bytes.Length)), out _, out var written);
        _length += written;
    }

    private Span<byte> Reserve(int length)
    {
        if (_buffer.Length - _length < length)
            Array.Resize(ref _buffer, Math.Max(_length + length, 2 * _buffer.Length));
        return _buffer.AsSpan(_length);
    }
}
