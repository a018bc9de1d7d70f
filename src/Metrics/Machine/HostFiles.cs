using System.Globalization;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// What the kernel tells about itself in /proc and /sys, under a root that tests replace. Whatever cannot be read,
/// for whatever reason, is null: nothing here is worth a failed run.
/// </summary>
internal sealed class HostFiles(string root = HostFiles.HostRoot)
{
    public const string HostRoot = "/";

    /// <summary>The whole file without its surrounding white space; null where it is empty or cannot be read.</summary>
    public string? ReadText(string path) =>
        Read(path, file => File.ReadAllText(file).Trim()) is { Length: > 0 } text ? text : null;

    public long? ReadNumber(string path) => ParseNumber(ReadText(path));

    /// <summary>The rest of the first line that starts with the key, without separating white space or colon.</summary>
    public string? ReadField(string path, string key)
    {
        foreach (var line in ReadText(path)?.Split('\n') ?? [])
        {
            if (line.StartsWith(key, StringComparison.Ordinal)
                && line.Length > key.Length && !char.IsAsciiLetterOrDigit(line[key.Length]) && line[key.Length] != '_')
            {
                return line[key.Length..].Trim(' ', '\t', ':', '\r');
            }
        }

        return null;
    }

    /// <summary>The first bytes of a file, as many as there are and fit; -1 where it cannot be read.</summary>
    public int ReadBytes(string path, Span<byte> bytes)
    {
        try
        {
            using var file = File.OpenHandle(
                PathOf(path), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return RandomAccess.Read(file, bytes, 0);
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return -1;
        }
    }

    public string? ReadLink(string path) => Read(path, file => new FileInfo(file).LinkTarget);

    public bool Exists(string path) => Directory.Exists(PathOf(path)) || File.Exists(PathOf(path));

    public IReadOnlyList<string> FolderNames(string path) => Read<IReadOnlyList<string>>(path, folder =>
    [
        .. Directory.EnumerateDirectories(folder).Select(Path.GetFileName)
            .OfType<string>().Order(StringComparer.Ordinal),
    ]) ?? [];

    public static long? ParseNumber(string? text) =>
        long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number) ? number : null;

    private T? Read<T>(string path, Func<string, T?> read)
        where T : class
    {
        try
        {
            return read(PathOf(path));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private string PathOf(string path) => Path.Combine(root, path.TrimStart('/'));
}
