using System.Globalization;
using System.Text;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Psync;

/// <summary>
/// The data set on its way: either so many bytes, or, where the source does not know how many, up to a mark of 40 bytes
/// that it has announced. An <see cref="RdbReader"/> reads it to its end; then <see cref="Finish"/>.
/// </summary>
public sealed class DataSetStream : Stream
{
    private const int MarkLength = 40;
    private const int LongestHeader = 128;

    private readonly ReplicationLink _link;
    private readonly CancellationToken _stop;
    private readonly byte[] _mark = new byte[MarkLength];
    private long _left;

    internal DataSetStream(ReplicationLink link, CancellationToken stop)
    {
        (_link, _stop) = (link, stop);
        ReadHeader();
    }

    /// <summary>How many bytes it has; null where the source sends it without its disk.</summary>
    public long? Size { get; private set; }

    /// <summary>How many bytes were handed out.</summary>
    public long Done { get; private set; }

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        if (Size is not null)
        {
            if (_left == 0)
                return 0;
            buffer = buffer[..(int)Math.Min(buffer.Length, _left)];
        }

        var count = Receive(buffer);
        _left -= count;
        Done += count;
        return count;
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <summary>Looks whether the data set ends where its file did.</summary>
    /// <param name="unread">What the reader has taken beyond the file's end.</param>
    /// <returns>The first bytes of the stream, which came with the last of the file.</returns>
    /// <exception cref="RedisProtocolException">It does not.</exception>
    public byte[] Finish(ReadOnlySpan<byte> unread)
    {
        _link.NoteDataSet();
        if (Size is not null)
        {
            return _left == 0 && unread.IsEmpty
                ? []
                : throw new RedisProtocolException(
                    $"{_link.Endpoint.Address} announced {Size} bytes of data, and they end {_left + unread.Length} "
                    + "before");
        }

        Span<byte> end = stackalloc byte[MarkLength];
        var count = Math.Min(unread.Length, MarkLength);
        unread[..count].CopyTo(end);
        while (count < MarkLength)
            count += Receive(end[count..]);
        return end.SequenceEqual(_mark)
            ? unread[Math.Min(unread.Length, MarkLength)..].ToArray()
            : throw new RedisProtocolException(
                $"{_link.Endpoint.Address}: behind the data set stands {RespFault.Show(end)}, not the mark announced");
    }

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private int Receive(Span<byte> buffer)
    {
        while (true)
        {
            var count = _link.Receive(buffer, TimestampSpan.FromNow(TimeSpan.FromSeconds(1)), _stop);
            if (count > 0)
                return count;
        }
    }

    // Line feeds first, for as long as the source prepares it.
    private void ReadHeader()
    {
        var header = new List<byte>();
        Span<byte> one = stackalloc byte[1];
        while (true)
        {
            Receive(one);
            if (one[0] == '\n' && header.Count > 0)
                break;
            if (one[0] != '\n')
                header.Add(one[0]);
            if (header.Count > LongestHeader)
                throw Fault(header);
        }

        var text = Encoding.Latin1.GetString([.. header]).TrimEnd('\r');
        if (text.StartsWith("$EOF:", StringComparison.Ordinal) && text.Length == "$EOF:".Length + MarkLength)
        {
            Encoding.Latin1.GetBytes(text.AsSpan("$EOF:".Length), _mark);
            return;
        }

        if (!text.StartsWith('$')
            || !long.TryParse(text.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out var size))
        {
            throw text.StartsWith('-') ? new RedisServerException(text[1..]) : Fault(header);
        }

        Size = _left = size;
    }

    private RedisProtocolException Fault(List<byte> header) => new(
        $"{_link.Endpoint.Address}: a data set was to come, and {RespFault.Show([.. header])} came");
}
