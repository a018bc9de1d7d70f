using System.Text;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>What tests see of an RDB file: every record as text, values as the commands that rebuild them.</summary>
internal static class RdbText
{
    public static RdbFormat Newest { get; } = new(IsValkey: false, RdbFormat.NewestOfRedis);

    /// <summary>The requests' words; bytes as characters of Latin-1, so that none is lost.</summary>
    public static List<string[]> Words(ReadOnlySpan<byte> requests)
    {
        var reader = new RespRequestReader();
        var found = new List<string[]>();
        while (true)
        {
            while (reader.TryRead())
                found.Add([.. Enumerable.Range(0, reader.Count).Select(i => Encoding.Latin1.GetString(reader[i]))]);
            reader.ProtocolError.ShouldBeNull();
            if (requests.IsEmpty)
                return found;
            var space = reader.GetSpace();
            var count = Math.Min(space.Length, requests.Length);
            requests[..count].CopyTo(space);
            reader.Advance(count);
            requests = requests[count..];
        }
    }

    /// <summary>The commands of the current key.</summary>
    public static List<string[]> Commands(RdbReader reader, TypedCommands? commands = null)
    {
        var requests = new MemoryStream();
        (commands ?? new TypedCommands(Newest)).Write(reader, request => requests.Write(request));
        return Words(requests.ToArray());
    }

    /// <summary>Everything in a file, a line a record.</summary>
    public static List<string> Read(Stream stream, long bigValue = RdbReader.DefaultBigValue, int capacity = 4096)
    {
        var reader = new RdbReader(stream, bigValue, capacity);
        var commands = new TypedCommands(Newest);
        var lines = new List<string>();
        while (true)
        {
            switch (reader.Read())
            {
                case RdbRecord.End:
                    lines.Add($"end {reader.IsChecksumVerified}");
                    return lines;
                case RdbRecord.Auxiliary:
                    lines.Add($"{reader.AuxiliaryName}={Encoding.Latin1.GetString(reader.Content)}");
                    break;
                case RdbRecord.Function:
                    lines.Add($"function {Encoding.Latin1.GetString(reader.Content)}");
                    break;
                default:
                    lines.Add(Head(reader.Entry));
                    if (reader.Entry.Kind != RdbKind.Module)
                        lines.AddRange(Commands(reader, commands).Select(words => string.Join(' ', words)));
                    break;
            }
        }
    }

    private static string Head(RdbEntry entry) =>
        $"{entry.Database} {Encoding.Latin1.GetString(entry.Key)} {entry.Kind} expires {entry.ExpiresAtMs} "
        + $"idle {entry.IdleSeconds} frequency {entry.Frequency}";
}

/// <summary>Gives bytes in pieces of a few, as a slow network may.</summary>
internal sealed class TricklingStream(byte[] bytes, Func<int> next) : MemoryStream(bytes)
{
    public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, next())]);
}
