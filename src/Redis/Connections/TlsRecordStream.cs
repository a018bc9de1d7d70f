using System.Buffers.Binary;
using System.Diagnostics;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// Hands whole TLS records from a transport to SslStream, so that it is asked to decrypt only when it can do so
/// without waiting: that is what makes receiving with a deadline possible over it. It never hands out bytes of two
/// records at once, so nothing is left inside SslStream unseen.
/// </summary>
internal sealed class TlsRecordStream(Transport transport) : Stream
{
    private const int HeaderLength = 5;
    private const int LargestRecord = HeaderLength + (16 << 10) + 2048;

    private readonly long _silentFrom = TimestampSpan.FromNow(TimeSpan.FromSeconds(1));
    private byte[] _buffer = GC.AllocateUninitializedArray<byte>(2 * LargestRecord, pinned: true);
    private int _start;
    private int _end;
    private int _leftOfRecord;

    public Transport Carrier { get; set; } = transport;

    /// <summary>How long reads for the handshake may wait; reads after it do not wait.</summary>
    public long Deadline { get; set; }

    /// <summary>Called once, when the server has said nothing for a while: to look for a reason.</summary>
    public Action? WhenSilent { get; set; }

    /// <summary>The first byte of what the server sent, or -1: 0x14 to 0x17 is TLS.</summary>
    public int FirstByte { get; private set; } = -1;

    public bool HasSeenTls => FirstByte is >= 0x14 and <= 0x17;

    public bool HasWholeRecord
    {
        get
        {
            var available = _end - _start;
            if (_leftOfRecord > 0)
                return available >= _leftOfRecord;
            return available >= HeaderLength && available >= RecordLength;
        }
    }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    private int RecordLength =>
        HeaderLength + BinaryPrimitives.ReadUInt16BigEndian(_buffer.AsSpan(_start + HeaderLength - 2));

    /// <summary>Receives what is there, or waits for something; false where nothing came.</summary>
    public bool Fill(long untilTimestamp)
    {
        if (_start == _end)
            _start = _end = 0;
        if (_buffer.Length - _end < LargestRecord)
            MakeRoom();
        var count = Carrier.Receive(_buffer.AsSpan(_end), untilTimestamp);
        _end += count;
        if (FirstByte < 0 && count > 0)
            FirstByte = _buffer[_start];
        return count > 0;
    }

    public override int Read(Span<byte> buffer)
    {
        while (_leftOfRecord == 0 && _end - _start < HeaderLength)
            FillOrThrow();
        if (!HasSeenTls)
            throw new RedisProtocolException($"answered {Resp.RespFault.Show(_buffer.AsSpan(_start, _end - _start))}");
        if (_leftOfRecord == 0)
            _leftOfRecord = RecordLength;
        while (_start == _end)
            FillOrThrow();
        var count = Math.Min(buffer.Length, Math.Min(_leftOfRecord, _end - _start));
        _buffer.AsSpan(_start, count).CopyTo(buffer);
        _start += count;
        _leftOfRecord -= count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer) => Carrier.Send(buffer);

    public override void Write(byte[] buffer, int offset, int count) => Carrier.Send(buffer.AsSpan(offset, count));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private void FillOrThrow()
    {
        while (!Fill(Deadline))
        {
            var now = Stopwatch.GetTimestamp();
            if (now >= Deadline)
                throw new NothingToReadException();
            if (FirstByte < 0 && now >= _silentFrom && WhenSilent is { } look)
            {
                WhenSilent = null;
                look();
            }
        }
    }

    private void MakeRoom()
    {
        var unread = _end - _start;
        var target = unread > _buffer.Length / 2
            ? GC.AllocateUninitializedArray<byte>(_buffer.Length * 2, pinned: true)
            : _buffer;
        _buffer.AsSpan(_start, unread).CopyTo(target);
        _buffer = target;
        _start = 0;
        _end = unread;
    }
}
