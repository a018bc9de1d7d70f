using System.Globalization;

namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// Reads an HdrHistogram interval log, formats 1.1 to 1.3, line by line: comments, the legend and empty lines are
/// passed over. A last line that was not written to its end, as after a crash, is not an error: the intervals before it
/// are read, and <see cref="HasTornTail"/> tells of it.
/// </summary>
/// <param name="stream">Stays the caller's to dispose.</param>
/// <param name="isWanted">Which tags are read; lines of others are passed over. Null for all.</param>
public sealed class IntervalLogReader(Stream stream, Predicate<string?>? isWanted = null)
{
    /// <summary>How many series a log may have.</summary>
    public const int MostSeries = 4_096;

    /// <summary>How many values a log may have in all: 2^53, so that sums over logs have room.</summary>
    public const long MostValues = 1L << 53;

    private const int LongestTag = 1_024;

    private readonly LineReader _lines = new(stream);
    private readonly HashSet<string> _tags = new(StringComparer.Ordinal);
    private UInt128 _values;
    private LatencyHistogram? _last;
    private readonly LogHeading _heading = new();

    /// <summary>
    /// Whether an interval's histogram is that of the one before, filled anew: it is then valid until the next is read.
    /// </summary>
    public bool ReusesHistogram { get; init; }

    /// <summary>The histogram that the first interval's values are filled into, where it has its buckets.</summary>
    public LatencyHistogram? Spare
    {
        init => _last = value;
    }

    /// <summary>
    /// How many values' units one of Interval_Max is: then a line whose histogram has another maximum is refused.
    /// Null where that is not known.
    /// </summary>
    public double? MaxUnit { get; init; }

    /// <summary>Whether the log ended within a line; known when <see cref="Read"/> has returned null.</summary>
    public bool HasTornTail { get; private set; }

    /// <summary>Reads the next interval.</summary>
    /// <returns>Null at the end of the log.</returns>
    /// <exception cref="HistogramFormatException">A whole line is none of a log: the message has which.</exception>
    public LoggedInterval? Read()
    {
        while (_lines.TryRead(out var line, out var isWhole))
        {
            try
            {
                if (ReadLine(line) is { } interval)
                    return interval;
                HasTornTail |= !isWhole;
            }
            catch (HistogramFormatException) when (!isWhole)
            {
                HasTornTail = true;
            }
            catch (HistogramFormatException e)
            {
                throw new HistogramFormatException($"Line {_lines.LineNumber} of the interval log: {e.Message}", e);
            }
        }

        return null;
    }

    /// <summary>Reads the intervals that are left, one at a time.</summary>
    /// <exception cref="HistogramFormatException">As <see cref="Read"/>, when the line is reached.</exception>
    public IEnumerable<LoggedInterval> ReadAll()
    {
        while (Read() is { } interval)
            yield return interval;
    }

    // It is written with three decimals.
    private static void CheckMax(LatencyHistogram histogram, decimal max, double unit)
    {
        var slack = (unit / 1_000) + histogram.WidthAt(histogram.Max);
        if (Math.Abs(((double)max * unit) - histogram.Max) > slack)
        {
            throw new HistogramFormatException(string.Create(
                CultureInfo.InvariantCulture,
                $"Interval_Max is {max}, and the histogram's largest value {histogram.Max / unit:0.###}: "
                + $"it is damaged."));
        }
    }

    private void CountSeries(string? tag)
    {
        if (tag is null || !_tags.Add(tag))
            return;
        if (tag.Length > LongestTag)
            throw new HistogramFormatException("The name of its series is too long.");
        if (_tags.Count > MostSeries)
            throw new HistogramFormatException($"There are more than {MostSeries} series.");
    }

    private static DateTimeOffset Instant(decimal seconds) => DateTimeOffset.UnixEpoch + Duration(seconds);

    private static TimeSpan Duration(decimal seconds) => TimeSpan.FromTicks((long)(seconds * TimeSpan.TicksPerSecond));

    private LoggedInterval? ReadLine(ReadOnlySpan<byte> line)
    {
        if (line is [(byte)'#', ..])
        {
            _heading.Read(line);
            return null;
        }

        if (line.IsEmpty || line[0] == '"')
            return null;
        var name = IntervalLine.TagOf(line);
        CountSeries(name);
        if (isWanted is not null && !isWanted(name))
        {
            _heading.OutOfRange = default;
            return null;
        }

        var (tag, start, length, max, histogram) = IntervalLine.Parse(line, _last);
        _last = ReusesHistogram ? histogram : null;
        if (length < 0)
            throw new HistogramFormatException("The interval's length is negative.");
        if (MaxUnit is { } unit)
            CheckMax(histogram, max, unit);
        (histogram.AboveRange, histogram.BelowRange) = _heading.OutOfRange;
        _heading.OutOfRange = default;
        _values += (UInt128)histogram.TotalCount + (UInt128)histogram.AboveRange + (UInt128)histogram.BelowRange;
        if (_values > MostValues)
            throw new HistogramFormatException("There are more values than can be counted.");
        return new LoggedInterval(tag, Instant(_heading.Absolute(start)), Duration(length), histogram);
    }
}

/// <summary>What an interval's line says: <c>Tag=rtt,1.000,1.000,0.299,HISTF…</c>, the tag being optional.</summary>
internal readonly record struct IntervalLine(
    string? Tag, decimal Start, decimal Length, decimal Max, LatencyHistogram Histogram)
{
    // The seconds of the years 1 to 9999, seen from 1970: what lies outside is not a time.
    private const decimal FirstSecond = -62_135_596_800;
    private const decimal LastSecond = 253_402_300_799;

    internal static IntervalLine Parse(ReadOnlySpan<byte> line, LatencyHistogram? spare)
    {
        var tag = TagOf(line);
        if (tag is not null)
            _ = NextField(ref line);
        var start = Seconds(NextField(ref line));
        var length = Seconds(NextField(ref line));

        // The largest value, for readers that do not decode the histogram.
        _ = decimal.TryParse(NextField(ref line), NumberStyles.Float, CultureInfo.InvariantCulture, out var max);
        return new IntervalLine(tag, start, length, max, HistogramDecoder.DecodeBase64(line, spare));
    }

    internal static string? TagOf(ReadOnlySpan<byte> line) =>
        line.StartsWith("Tag="u8) ? System.Text.Encoding.UTF8.GetString(NextField(ref line)[4..]) : null;

    internal static decimal Seconds(ReadOnlySpan<byte> text) =>
        decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var seconds)
            ? InRange(seconds)
            : throw new HistogramFormatException("There is no time where the line should have one.");

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

internal sealed class LineReader(Stream stream)
{
    /// <summary>More than the largest histogram takes: five digits, the whole range, every count long.</summary>
    internal const int LongestLine = 96 * 1_024 * 1_024;

    private byte[] _buffer = new byte[65_536];
    private int _start;
    private int _end;

    internal long LineNumber { get; private set; }

    /// <summary>A line without its LF or CR LF, valid until the next call; false at the end of the stream.</summary>
    /// <exception cref="HistogramFormatException">The line is too long to be one of an interval log.</exception>
    internal bool TryRead(out ReadOnlySpan<byte> line, out bool isWhole)
    {
        var searched = 0;
        int length;
        while ((length = _buffer.AsSpan(_start + searched, _end - _start - searched).IndexOf((byte)'\n')) < 0)
        {
            searched = _end - _start;
            if (!Fill())
            {
                line = _buffer.AsSpan(_start, searched);
                isWhole = false;
                _start = _end;
                LineNumber += searched == 0 ? 0 : 1;
                return searched > 0;
            }
        }

        line = _buffer.AsSpan(_start, searched + length);
        if (line is [.. var text, (byte)'\r'])
            line = text;
        isWhole = true;
        _start += searched + length + 1;
        LineNumber++;
        return true;
    }

    private bool Fill()
    {
        var kept = _end - _start;
        if (_end == _buffer.Length)
        {
            if (kept >= LongestLine)
                throw new HistogramFormatException($"Line {LineNumber + 1} is longer than any of an interval log.");
            var target = kept > _buffer.Length / 2 ? new byte[2 * _buffer.Length] : _buffer;
            _buffer.AsSpan(_start, kept).CopyTo(target);
            _buffer = target;
            _start = 0;
            _end = kept;
        }

        var read = stream.Read(_buffer.AsSpan(_end));
        _end += read;
        return read > 0;
    }
}
