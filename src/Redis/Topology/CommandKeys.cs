using System.Globalization;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Which word of a command is its first key, and so which node of a cluster it is for. Source: COMMAND of Redis 7 and
/// 8 (first key, key specifications), <c>src/commands/*.json</c>.
/// </summary>
public static class CommandKeys
{
    /// <summary>What <see cref="FirstOf"/> says of a command without a key.</summary>
    public const int None = -1;

    // The first word after the name is the key of all but these.
    private static readonly HashSet<string> WithoutKey = Names(
        """
        ACL ASKING AUTH BGREWRITEAOF BGSAVE CLIENT CLUSTER COMMAND CONFIG DBSIZE DISCARD ECHO EXEC FAILOVER FLUSHALL
        FLUSHDB FUNCTION HELLO INFO KEYS LASTSAVE LATENCY LOLWUT MODULE MONITOR MULTI PING PSUBSCRIBE PSYNC PUBLISH
        PUBSUB PUNSUBSCRIBE QUIT RANDOMKEY READONLY READWRITE REPLCONF REPLICAOF RESET ROLE SAVE SCAN SCRIPT SELECT
        SHUTDOWN SLAVEOF SLOWLOG SUBSCRIBE SWAPDB SYNC TIME UNSUBSCRIBE UNWATCH WAIT WAITAOF
        """);

    // The word behind the name says what is done: DEBUG OBJECT key, BITOP AND key.
    private static readonly HashSet<string> OfSecondWord =
        Names("BITOP DEBUG MEMORY OBJECT PFDEBUG XGROUP XINFO");

    // How many keys there are, then the keys.
    private static readonly HashSet<string> BehindCount =
        Names("LMPOP MSETEX SINTERCARD ZDIFF ZINTER ZINTERCARD ZMPOP ZUNION");

    // Something else before the number of keys: a script, a time to wait.
    private static readonly HashSet<string> BehindSecondCount =
        Names("BLMPOP BZMPOP EVAL EVALSHA EVALSHA_RO EVAL_RO FCALL FCALL_RO");

    /// <summary>The place of a command's first key among its words; <see cref="None"/> where it has none.</summary>
    /// <param name="words">The command, its name first. Of words that are not text any text will do.</param>
    public static int FirstOf(IReadOnlyList<string> words)
    {
        if (words.Count < 2 || WithoutKey.Contains(words[0]))
            return None;
        var place = words[0].ToUpperInvariant() switch
        {
            "XREAD" or "XREADGROUP" => PlaceOf(words, "STREAMS") + 1,
            "MIGRATE" => words.Count > 3 && words[3].Length > 0 ? 3 : PlaceOf(words, "KEYS") + 1,
            var name when OfSecondWord.Contains(name) => 2,
            var name when BehindCount.Contains(name) => HasKeys(words, 1) ? 2 : 0,
            var name when BehindSecondCount.Contains(name) => HasKeys(words, 2) ? 3 : 0,
            _ => 1,
        };
        return place > 0 && place < words.Count ? place : None;
    }

    private static bool HasKeys(IReadOnlyList<string> words, int count) =>
        words.Count > count
        && (!int.TryParse(words[count], NumberStyles.None, CultureInfo.InvariantCulture, out var keys) || keys > 0);

    // The last place that there can be is behind all words.
    private static int PlaceOf(IReadOnlyList<string> words, string name)
    {
        for (var place = 1; place < words.Count; place++)
        {
            if (words[place].Equals(name, StringComparison.OrdinalIgnoreCase))
                return place;
        }

        return words.Count;
    }

    private static HashSet<string> Names(string text) =>
        new(text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries), StringComparer.OrdinalIgnoreCase);
}
