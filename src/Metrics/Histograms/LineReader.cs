namespace RedisLatency.Metrics.Histograms;

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
