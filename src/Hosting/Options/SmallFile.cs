using System.Text;
using System.Text.Unicode;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Hosting.Options;

/// <summary>A file that a user wrote by hand: no larger than such files are, whatever its name leads to.</summary>
public static class SmallFile
{
    /// <summary>How many bytes it may have.</summary>
    public const int Most = 1 << 20;

    /// <summary>Reads it.</summary>
    /// <exception cref="IOException">It is larger, is no UTF-8, or cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">This user may not read it.</exception>
    public static byte[] Read(string path)
    {
        var content = LimitedFile.ReadAll(path, Most);
        return Utf8.IsValid(content)
            ? content
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
