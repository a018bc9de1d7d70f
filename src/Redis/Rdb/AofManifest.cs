using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Rdb;

/// <summary>
/// The files of an append-only file in their order: the one that a manifest names as its base, then the increments; or
/// the one file that it is before Redis 7 (aof.c). What the manifest calls history counts no more.
/// </summary>
public sealed class AofManifest
{
    private const int HeadLength = 9;
    private const int MostManifest = 1 << 20;

    private AofManifest(IReadOnlyList<string> files, bool hasBase) => (Files, HasBase) = (files, hasBase);

    /// <summary>The paths, in the order in which their commands were written.</summary>
    public IReadOnlyList<string> Files { get; }

    /// <summary>Whether the first of them is a base: the state of one moment, of which no part stands alone.</summary>
    public bool HasBase { get; }

    /// <summary>Opens a manifest, or a single file.</summary>
    /// <exception cref="RdbException">The manifest is damaged.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static AofManifest Open(string path)
    {
        using var file = File.OpenRead(path);
        Span<byte> head = stackalloc byte[HeadLength];
        head = head[..file.ReadAtLeast(head, HeadLength, throwOnEndOfStream: false)];
        if (!head.StartsWith("file "u8) && !path.EndsWith(".manifest", StringComparison.Ordinal))
            return new AofManifest([path], hasBase: false);
        // Not by its length: a device has none.
        var content = new byte[MostManifest + 1];
        head.CopyTo(content);
        var length = head.Length + file.ReadAtLeast(
            content.AsSpan(head.Length), content.Length - head.Length, throwOnEndOfStream: false);
        if (length > MostManifest)
            throw new RdbException($"a manifest of more than {MostManifest} bytes", 0);
        var folder = Path.GetDirectoryName(Path.GetFullPath(path)) ?? string.Empty;
        var (names, hasBase) = Parse(content.AsSpan(0, length));
        return new AofManifest([.. names.Select(name => Path.Combine(folder, name))], hasBase);
    }

    /// <summary>The names that a manifest has, base first, and whether there is one.</summary>
    internal static (IReadOnlyList<string> Names, bool HasBase) Parse(ReadOnlySpan<byte> manifest)
    {
        var increments = new List<string>();
        string? first = null;
        var last = 0L;
        var offset = 0;
        foreach (var range in manifest.Split((byte)'\n'))
        {
            var line = manifest[range];
            var words = Words(line, offset);
            if (words.Count > 0)
            {
                var (name, number, type) = ParseLine(words, offset);
                switch (type)
                {
                    case "b" when first is null:
                        first = name;
                        break;
                    case "i" when number > last:
                        increments.Add(name);
                        last = number;
                        break;
                    case "h":
                        break;
                    default:
                        throw new RdbException(
                            type == "b" ? "a second base" : $"increment {number} stands behind {last}", offset);
                }
            }

            offset += line.Length + 1;
        }

        return first is null ? (increments, false) : ([first, .. increments], true);
    }

    // key value pairs: file NAME seq NUMBER type LETTER, and what later versions add.
    private static (string Name, long Number, string Type) ParseLine(List<string> words, int offset)
    {
        var values = words.Chunk(2).Where(pair => pair.Length == 2)
            .GroupBy(pair => pair[0]).ToDictionary(pairs => pairs.Key, pairs => pairs.Last()[1]);
        if (words.Count % 2 != 0
            || !values.TryGetValue("file", out var name)
            || !values.TryGetValue("type", out var type) || type is not ("b" or "i" or "h")
            || !long.TryParse(values.GetValueOrDefault("seq"), CultureInfo.InvariantCulture, out var number))
        {
            throw new RdbException("a line of the manifest is not \"file NAME seq NUMBER type b, i or h\"", offset);
        }

        return Path.GetFileName(name) == name && name.Length > 0
            ? (name, number, type)
            : throw new RdbException("a manifest names files of its own folder only", offset);
    }

    // Quoted as inline commands are.
    private static List<string> Words(ReadOnlySpan<byte> line, int offset)
    {
        var reader = new RespRequestReader();
        var words = new List<string>();
        if (line.StartsWith("#"u8) || line.Trim((byte)'\r').IsEmpty)
            return words;
        ReadOnlySpan<byte> rest = [.. line, (byte)'\n'];
        while (!rest.IsEmpty && reader.ProtocolError is null)
        {
            var space = reader.GetSpace();
            var count = Math.Min(space.Length, rest.Length);
            rest[..count].CopyTo(space);
            reader.Advance(count);
            rest = rest[count..];
            if (reader.TryRead())
                words.AddRange(Enumerable.Range(0, reader.Count).Select(i => Encoding.UTF8.GetString(reader[i])));
        }

        return line[0] != '*' && reader.ProtocolError is null
            ? words
            : throw new RdbException(reader.ProtocolError ?? "this is no manifest", offset);
    }
}
