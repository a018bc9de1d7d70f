using System.Text;
using System.Text.Unicode;

namespace RedisLatency.Hosting.Options;

/// <summary>A file that a user wrote by hand: no larger than such files are, whatever its name leads to.</summary>
public static class SmallFile
{
    private const int Most = 1 << 20;

    /// <summary>Reads it.</summary>
    /// <exception cref="IOException">It is larger, is no UTF-8, or cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">This user may not read it.</exception>
    public static byte[] Read(string path)
    {
        // Not by its length: a device has none.
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
        using var content = new MemoryStream();
        var part = new byte[16 << 10];
        while (stream.Read(part) is > 0 and var count)
        {
            content.Write(part, 0, count);
            if (content.Length > Most)
                throw new IOException($"more than {Most:N0} bytes are in it; is it the right file?");
        }

        return Utf8.IsValid(content.GetBuffer().AsSpan(0, (int)content.Length))
            ? content.ToArray()
            : throw new IOException("it is not UTF-8 text; is it the right file?");
    }

    /// <summary>Reads its first line.</summary>
    /// <inheritdoc cref="Read" path="/exception"/>
    public static string ReadFirstLine(string path)
    {
        using var reader = new StreamReader(new MemoryStream(Read(path)), Encoding.UTF8);
        return reader.ReadLine() ?? string.Empty;
    }
}
