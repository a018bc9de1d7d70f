using System.Globalization;
using System.Text;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Commands;

internal static class MonitorFile
{
    private const string Wanted =
        "no line of it is a command as MONITOR prints it: 1700000000.123456 [0 host:port] \"GET\" \"key\"";

    // They change the connection, or are not answered by one reply: not to be mixed with others.
    private static readonly HashSet<string> LeftOut = new(StringComparer.OrdinalIgnoreCase)
    {
        "AUTH", "HELLO", "SELECT", "QUIT", "RESET", "CLIENT", "READONLY", "READWRITE", "ASKING", "MULTI", "EXEC",
        "DISCARD", "WATCH", "UNWATCH", "MONITOR", "SYNC", "PSYNC", "REPLCONF", "SUBSCRIBE", "UNSUBSCRIBE", "PSUBSCRIBE",
        "PUNSUBSCRIBE", "SSUBSCRIBE", "SUNSUBSCRIBE", "SHUTDOWN", "DEBUG",
    };

    public static string? Problem(string path) => Read(path).Problem;

    public static CommandTemplate Parse(string path) =>
        Read(path) is { Problem: null, Value: { } template }
            ? template
            : throw new FormatException($"{path}: {Problem(path)}");

    /// <summary>Null for what is no command, or none to be sent again.</summary>
    internal static ReplayedCommand? ReadLine(string line)
    {
        var end = line.IndexOf("] \"", StringComparison.Ordinal);
        // What a script ran comes again with the script.
        if (end < 0 || !char.IsAsciiDigit(line[0]) || line.AsSpan(0, end).EndsWith(" lua", StringComparison.Ordinal))
            return null;
        var words = new List<byte[]>();
        for (var at = end + 2; at < line.Length; at++)
        {
            if (line[at] == ' ')
                continue;
            if (line[at] != '"' || ReadWord(line, ref at) is not { } word)
                return null;
            words.Add(word);
        }

        return words.Count == 0 || LeftOut.Contains(Encoding.Latin1.GetString(words[0]))
            ? null
            : new ReplayedCommand(Encode(words), words.Count > 1 ? words[1] : []);
    }

    private static ValueReading<CommandTemplate> Read(string path)
    {
        try
        {
            // Byte for byte, in whatever encoding.
            var lines = File.ReadLines(path, Encoding.Latin1).Where(line => line.Length > 0 && line != "OK")
                .Select(ReadLine).ToList();
            ReplayedCommand[] commands = [.. lines.OfType<ReplayedCommand>()];
            var leftOut = lines.Count - commands.Length;
            return commands.Length == 0
                ? ValueReading.Wrong<CommandTemplate>(Wanted)
                : ValueReading.Of(new CommandTemplate($"the commands of {path}", [], [new("replay", null)])
                {
                    Replayed = commands,
                    LeftOut = leftOut == 0 ? null
                        : $"{Quantity.Count(leftOut)} of {Quantity.Count(lines.Count)} lines of {path} are not sent: "
                            + "they change the connection, were run by a script, or are no commands.",
                });
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return ValueReading.Wrong<CommandTemplate>(problem.Message);
        }
    }

    // As sdscatrepr writes it (Redis 7, sds.c). Leaves the place at the closing quote; null where there is none.
    private static byte[]? ReadWord(string line, ref int at)
    {
        var bytes = new List<byte>();
        for (at++; at < line.Length && line[at] != '"'; at++)
        {
            if (line[at] != '\\')
            {
                bytes.Add((byte)line[at]);
                continue;
            }

            if (++at >= line.Length)
                return null;
            if (line[at] == 'x' && at + 2 < line.Length && byte.TryParse(
                line.AsSpan(at + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var code))
            {
                bytes.Add(code);
                at += 2;
                continue;
            }

            bytes.Add(line[at] switch
            {
                'n' => (byte)'\n',
                'r' => (byte)'\r',
                't' => (byte)'\t',
                'a' => (byte)'\a',
                'b' => (byte)'\b',
                var other => (byte)other,
            });
        }

        return at < line.Length ? [.. bytes] : null;
    }

    private static byte[] Encode(List<byte[]> words)
    {
        var request = new List<byte>();
        Append($"*{words.Count.ToString(CultureInfo.InvariantCulture)}\r\n");
        foreach (var word in words)
        {
            Append($"${word.Length.ToString(CultureInfo.InvariantCulture)}\r\n");
            request.AddRange(word);
            Append("\r\n");
        }

        return [.. request];

        void Append(string text) => request.AddRange(Encoding.ASCII.GetBytes(text));
    }
}

/// <summary>A command as it is sent, and its first argument, which of nearly all commands is the key.</summary>
internal sealed record ReplayedCommand(byte[] Request, byte[] Key);
