using System.Globalization;
using System.Text;
using RedisLatency.Metrics.Results;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Topology;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Commands;

internal static class MonitorFile
{
    private const string Wanted =
        "no line of it is a command as MONITOR prints it: 1700000000.123456 [0 host:port] \"GET\" \"key\"";

    // All of its commands are in memory.
    private const int MostBytes = 64 << 20;
    private const int MostNames = 1_000;

    private const string WhyLeftOut =
        "they change the connection, administer the server, were run by a script, are of another database than the "
        + "first one, or are no commands";

    public static string? Problem(string path) => Read(path).Problem;

    public static Replay Parse(string path) =>
        Read(path) is { Problem: null, Value: { } replay }
            ? replay
            : throw new FormatException($"{path}: {Problem(path)}");

    /// <summary>The command of a line, from 1, as a command line; lines without quotes do not count.</summary>
    /// <exception cref="FormatException">There is no such line, or none that can be sent again.</exception>
    public static string TextOfLine(string path, int number)
    {
        var line = LinesOf(path).Where(line => line.Contains('"', StringComparison.Ordinal))
            .ElementAtOrDefault(number - 1)
            ?? throw new FormatException($"{path} has no {Quantity.Count(number)} commands");
        if (ReadLine(line) is not { } words)
            throw new FormatException($"line {Quantity.Count(number)} of {path} is not sent: {WhyLeftOut}");
        return string.Join(' ', words.Select(word => CommandText.Quoted(word)));
    }

    // Null for what is no command, or none to be sent again.
    internal static List<byte[]>? ReadLine(string line)
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

        var name = words.Count == 0 ? null : NameOf(words);
        // What others typed is not what this user asks for; --command sends one that is wanted. What changes the
        // connection, or is not answered by one reply, is not to be mixed with others.
        return name is null || RedisCommands.IsDangerous(name) || RedisCommands.Has(name, CommandFlags.Session)
            ? null
            : words;
    }

    // Byte for byte, in whatever encoding.
    private static IEnumerable<string> LinesOf(string path)
    {
        using var reader = new StreamReader(LimitedFile.OpenRead(path, MostBytes), Encoding.Latin1);
        while (reader.ReadLine() is { } line)
        {
            if (line.Length > 0 && line != "OK")
                yield return line;
        }
    }

    // As in 1700000000.123456 [0 127.0.0.1:5000] "GET" "key".
    private static string? DatabaseOf(string line)
    {
        var from = line.IndexOf('[', StringComparison.Ordinal) + 1;
        var end = line.IndexOf("] \"", StringComparison.Ordinal);
        return from > 0 && end > from ? line[from..end].Split(' ')[0] : null;
    }

    private static string NameOf(List<byte[]> words) => Encoding.Latin1.GetString(words[0]).ToLowerInvariant();

    private static int SlotOf(List<byte[]> words)
    {
        var place = CommandKeys.FirstOf([.. words.Select(Encoding.Latin1.GetString)]);
        return place == CommandKeys.None ? -1 : KeySlot.Of(words[place]);
    }

    private static ValueReading<Replay> Read(string path)
    {
        try
        {
            var lines = LinesOf(path).Select(line => (Database: DatabaseOf(line), Words: ReadLine(line))).ToList();
            // A connection has one: keys of another would meet keys of the same name in it.
            var database = lines.Find(line => line.Words is not null).Database;
            List<List<byte[]>> sent =
                [.. lines.Where(line => line.Database == database).Select(line => line.Words).OfType<List<byte[]>>()];
            if (sent.Count == 0)
                return ValueReading.Wrong<Replay>(Wanted);
            List<string> names = [.. sent.Select(NameOf).Distinct().Take(MostNames + 1)];
            if (names.Count > MostNames)
            {
                return ValueReading.Wrong<Replay>(
                    $"more than {Quantity.Count(MostNames)} different commands are in it");
            }

            var commands = sent.Select(words => new ReplayedCommand(
                Encode(words), SlotOf(words), names.IndexOf(NameOf(words))));
            var (all, leftOut) = (Quantity.Count(lines.Count), lines.Count - sent.Count);
            return ValueReading.Of(new Replay(names, [.. commands])
            {
                LeftOut = leftOut == 0 ? null
                    : $"{Quantity.Count(leftOut)} of {all} lines of {path} are not sent: {WhyLeftOut}.",
            });
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return ValueReading.Wrong<Replay>(problem.Message);
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
