using System.Globalization;

namespace RedisLatency.Metrics.Results;

/// <summary>
/// Reads files that others wrote, and never more of one than such files have: whatever a name leads to, a device
/// without an end too.
/// </summary>
public static class LimitedFile
{
    /// <summary>Reads all of it.</summary>
    /// <param name="path">The file.</param>
    /// <param name="most">How many bytes it may have.</param>
    /// <exception cref="IOException">It has more, or cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">This user may not read it.</exception>
    public static byte[] ReadAll(string path, int most)
    {
        using var file = OpenRead(path, most);
        return ReadAll(file, most);
    }

    /// <summary>Reads all of a stream, as <see cref="ReadAll(string, int)"/> does.</summary>
    /// <exception cref="IOException">It has more, or cannot be read.</exception>
    public static byte[] ReadAll(Stream stream, int most)
    {
        using var content = new MemoryStream();
        new LimitedStream(stream, most).CopyTo(content);
        return content.ToArray();
    }

    /// <summary>Opens it for reading; reading beyond the limit throws an <see cref="IOException"/>.</summary>
    /// <inheritdoc cref="ReadAll(string, int)"/>
    public static Stream OpenRead(string path, long most)
    {
        // The system says of a folder that access is denied.
        if (Directory.Exists(path))
            throw new IOException("it is a folder; a file is needed");
        try
        {
            var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
            return new LimitedStream(file, most);
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new FileNotFoundException("there is no such file", path, failure);
        }
    }

    private sealed class LimitedStream(Stream inner, long most) : Stream
    {
        private long _read;

        public override bool CanRead => true;
        public override bool CanSeek => false;
        public override bool CanWrite => false;
        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(Span<byte> buffer)
        {
            // One more than there may be: a file that ends there is whole.
            var left = most - _read;
            var count = inner.Read(left < buffer.Length ? buffer[..((int)left + 1)] : buffer);
            _read += count;
            return _read <= most ? count : throw new IOException(string.Create(
                CultureInfo.InvariantCulture, $"more than {most:N0} bytes are in it; is it the right file?"));
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();
        public override void SetLength(long value) => throw new NotSupportedException();
        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            if (disposing)
                inner.Dispose();
            base.Dispose(disposing);
        }
    }
}
