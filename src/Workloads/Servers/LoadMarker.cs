using System.Globalization;
using RedisLatency.Redis;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Servers;

/// <summary>
/// The note that loads leave in the database: a string with a line for each range of keys written, to which several
/// processes append.
/// </summary>
internal static class LoadMarker
{
    public const string Key = "redislatency:loaded";

    /// <summary>Who wrote a range, where it may have written other types than strings.</summary>
    public const string OfAnyType = "types=any";

    /// <summary>What the values were made of, as <c>--value</c> has it.</summary>
    public const string Value = "value=";

    private const string Until = "until=";

    /// <summary>The ranges whose keys have not expired; whether only strings were written to each.</summary>
    public static IReadOnlyDictionary<KeyRange, bool> Read(KeyServers servers) => Read(Text(servers));

    /// <summary>What the values of these keys were made of by who loaded them, as far as that was noted.</summary>
    public static IEnumerable<string> ValuesOf(KeyServers servers, KeyRange keys) => Notes(Text(servers))
        .Where(note => note.Key.Form == keys.Form && note.Key.First < keys.End && keys.First < note.Key.End
            && !HasExpired(note.Value))
        .Select(note => Array.Find(note.Value, word => word.StartsWith(Value, StringComparison.Ordinal)))
        .OfType<string>().Select(word => word[Value.Length..]);

    /// <summary>Unless it is there, with who wrote it (seed=1) and when it expires; returns why not, or null.</summary>
    public static string? Write(KeyServers servers, KeyRange range, string what, DateTimeOffset? until)
    {
        if (until is null && Read(servers).ContainsKey(range))
            return null;
        var at = TimeProvider.System.GetUtcNow().ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);
        var end = until is { } known
            ? string.Create(CultureInfo.InvariantCulture, $" {Until}{known.ToUnixTimeMilliseconds()}")
            : string.Empty;
        var reply = servers.Request(Key, "APPEND", Key, $"{range}\t{what} at={at}{end}\n");
        return reply.IsError ? reply.Text : null;
    }

    /// <summary>Why nothing can be noted, or null; what may pass (OOM) does not count. Nothing is written.</summary>
    public static string? WhyNotWritable(KeyServers servers) =>
        servers.Request(Key, "SETRANGE", Key, "0", string.Empty) is { IsError: true } reply
        && !ErrorReply.KindOf(reply.Text).MayPass
            ? $"what is written cannot be noted in {Key}, so cleanup would not remove it: {reply.Text}"
            : null;

    public static void Take(KeyServers servers, Action<KeyRange, bool> each)
    {
        var text = Text(servers);
        foreach (var (range, hasOnlyStrings) in Read(text))
            each(range, hasOnlyStrings);
        // A load that has begun meanwhile is not forgotten.
        if (text.Length > 0 && Text(servers) == text)
            servers.Request(Key, "DEL", Key);
    }

    // Not by GET: who compares what the server counted with what was asked for would find one more.
    private static string Text(KeyServers servers)
    {
        var reply = servers.Request(Key, "GETRANGE", Key, "0", "-1");
        return reply.IsError
            ? throw new RedisServerException(reply.Text, $"{Key} cannot be read: {reply.Text}")
            : reply.Text;
    }

    private static Dictionary<KeyRange, bool> Read(string text) =>
        Notes(text).Where(range => !HasExpired(range.Value))
            .ToDictionary(range => range.Key, range => !range.Value.Contains(OfAnyType));

    private static Dictionary<KeyRange, string[]> Notes(string text)
    {
        var ranges = new Dictionary<KeyRange, string[]>();
        foreach (var line in text.Split('\n'))
        {
            // What was said last of a range holds.
            if (line.Split('\t', 2) is [var range, var rest] && KeyRange.Parse(range) is { } known)
                ranges[known] = rest.Split(' ');
        }

        return ranges;
    }

    private static bool HasExpired(string[] words)
    {
        var word = words.FirstOrDefault(one => one.StartsWith(Until, StringComparison.Ordinal));
        return word is not null
            && long.TryParse(word[Until.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out var until)
            && until < TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds();
    }
}
