namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>Forgets what is written and counts how.</summary>
internal sealed class CountingStream : Stream
{
    public int Writes { get; private set; }

    public int Flushes { get; private set; }

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Flush() => Flushes++;

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => Writes++;

    public override void Write(ReadOnlySpan<byte> buffer) => Writes++;
}
