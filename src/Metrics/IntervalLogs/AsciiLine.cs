using System.Buffers.Text;
using System.Globalization;

namespace RedisLatency.Metrics.IntervalLogs;

/// <summary>Text in a buffer that is kept from line to line.</summary>
internal sealed class AsciiLine
{
    private const int LongestNumber = 20;

    private byte[] _buffer = new byte[1_024];
    private int _length;

    internal ReadOnlySpan<byte> Bytes => _buffer.AsSpan(0, _length);

    internal void Clear() => _length = 0;

    internal void Append(string text) =>
        _length += System.Text.Encoding.ASCII.GetBytes(text, Reserve(text.Length));

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
