using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace RedisLatency.Workloads.Commands;

// Reads command lines with the placeholders of memtier_benchmark (__key__, __data__) and redis-benchmark
// (__rand_int__); a word ; begins another command of the same operation.
internal static class CommandText
{
    private static readonly (string Text, CommandPart Part)[] Placeholders =
    [
        ("__key__", CommandPart.Key), ("__data__", CommandPart.Value), ("__rand_int__", CommandPart.Number),
    ];

    private static readonly HashSet<string> Reads = new(StringComparer.OrdinalIgnoreCase)
    {
        "GET", "MGET", "GETEX", "GETDEL", "GETRANGE", "SUBSTR", "HGET", "HMGET", "LINDEX", "LPOP", "RPOP", "ZSCORE",
        "ZMSCORE", "SPOP", "SRANDMEMBER", "RANDOMKEY", "DUMP", "STRLEN",
    };

    // Those of Redis 7's commands on keys that it flags as readonly.
    private static readonly HashSet<string> ReadOnly = new(StringComparer.OrdinalIgnoreCase)
    {
        "BITCOUNT", "BITFIELD_RO", "BITPOS", "DUMP", "EVALSHA_RO", "EVAL_RO", "EXISTS", "EXPIRETIME", "FCALL_RO",
        "GEODIST", "GEOHASH", "GEOPOS", "GEORADIUSBYMEMBER_RO", "GEORADIUS_RO", "GEOSEARCH", "GET", "GETBIT",
        "GETRANGE", "HEXISTS", "HGET", "HGETALL", "HKEYS", "HLEN", "HMGET", "HRANDFIELD", "HSCAN", "HSTRLEN", "HVALS",
        "LCS", "LINDEX", "LLEN", "LPOS", "LRANGE", "MGET", "PEXPIRETIME", "PTTL", "SCARD", "SDIFF", "SINTER",
        "SINTERCARD", "SISMEMBER", "SMEMBERS", "SMISMEMBER", "SORT_RO", "SRANDMEMBER", "SSCAN", "STRLEN", "SUBSTR",
        "SUNION", "TOUCH", "TTL", "TYPE", "XLEN", "XRANGE", "XREVRANGE", "ZCARD", "ZCOUNT", "ZDIFF", "ZINTER",
        "ZINTERCARD", "ZLEXCOUNT", "ZMSCORE", "ZRANDMEMBER", "ZRANGE", "ZRANGEBYLEX", "ZRANGEBYSCORE", "ZRANK",
        "ZREVRANGE", "ZREVRANGEBYLEX", "ZREVRANGEBYSCORE", "ZREVRANK", "ZSCAN", "ZSCORE", "ZUNION",
    };

    private static readonly HashSet<string> ReadsOfValue = new(StringComparer.OrdinalIgnoreCase)
    {
        "GET", "GETEX", "GETDEL",
    };

    /// <summary>The commands that write a whole value to their key, and those that touch no key's value.</summary>
    private static readonly string[] Verifiable =
        ["GET __key__", "SET __key__ __data__", "MULTI", "EXEC", "PING", "PUBLISH", "WAIT"];

    public static bool TryRead(
        string text,
        [NotNullWhen(true)] out CommandTemplate? template,
        [NotNullWhen(false)] out string? problem) => TryRead(text, [], out template, out problem);

    /// <summary>Reads a command line of which is known what each reply can be.</summary>
    public static bool TryRead(
        string text,
        ReplyKinds[] replies,
        [NotNullWhen(true)] out CommandTemplate? template,
        [NotNullWhen(false)] out string? problem)
    {
        template = null;
        if (!TrySplit(text, out var words, out problem))
            return false;
        var commands = Commands(words);
        if (commands.Count == 0 || commands.Any(command => command.Count == 0))
        {
            problem = "there is no command in it";
            return false;
        }

        if (words.FirstOrDefault(word => UnknownPlaceholder(word) is not null) is { } stranger)
        {
            problem = $"'{UnknownPlaceholder(stranger)}' is no placeholder; there are "
                + string.Join(", ", Placeholders.Select(placeholder => placeholder.Text));
            return false;
        }

        if (commands.Find(IsUnanswered) is { } unanswered)
        {
            problem = $"{string.Join(' ', unanswered)} is not answered, nor is what follows it";
            return false;
        }

        var first = commands[0][0];
        template = new CommandTemplate(text, Encode(commands), [.. commands.Select(ShapeOf)])
        {
            ReplyKinds = replies,
            IsRead = commands.Count == 1 && (Reads.Contains(first) || IsExistsOfOne(commands[0])),
            Nothing = first.ToUpperInvariant() switch
            {
                "GETRANGE" or "SUBSTR" => [],
                "STRLEN" or "EXISTS" => "0"u8.ToArray(),
                _ => null,
            },
            ReturnsValue = commands.Count == 1 && ReadsOfValue.Contains(first),
            OnlyReads = commands.TrueForAll(command => ReadOnly.Contains(command[0])),
            CanVerify = commands.TrueForAll(CanVerify) && (commands.Count == 1 || !commands.Exists(IsGet)),
        };
        return true;
    }

    private static bool IsUnanswered(List<string> words) =>
        words is [var command, var part, var how, ..]
        && command.Equals("CLIENT", StringComparison.OrdinalIgnoreCase)
        && part.Equals("REPLY", StringComparison.OrdinalIgnoreCase)
        && !how.Equals("ON", StringComparison.OrdinalIgnoreCase);

    // Of several keys it tells how many are there.
    private static bool IsExistsOfOne(List<string> words) =>
        words is [var command, _] && command.Equals("EXISTS", StringComparison.OrdinalIgnoreCase);

    private static bool IsGet(List<string> words) => words[0].Equals("GET", StringComparison.OrdinalIgnoreCase);

    private static bool CanVerify(List<string> words)
    {
        var isPairs = words[0].Equals("MSET", StringComparison.OrdinalIgnoreCase) && words.Count % 2 == 1
            && words.Skip(1).Index().All(word => word.Item == (word.Index % 2 == 0 ? "__key__" : "__data__"));
        var text = $"{words[0].ToUpperInvariant()} {string.Join(' ', words.Skip(1))}".TrimEnd();
        return isPairs || Verifiable.Any(known => known == text || (!known.Contains(' ', StringComparison.Ordinal)
            && text.StartsWith($"{known} ", StringComparison.Ordinal)));
    }

    private static CommandShape ShapeOf(List<string> words) =>
        new(words[0], [.. words.Skip(1).Select(word => word.Contains(Placeholders[0].Text, StringComparison.Ordinal))]);

    private static CommandSegment[] Encode(List<List<string>> commands)
    {
        var segments = new List<CommandSegment>();
        var literal = new List<byte>();
        var hasKey = false;
        foreach (var command in commands)
        {
            Append(literal, $"*{command.Count.ToString(CultureInfo.InvariantCulture)}\r\n");
            foreach (var word in command)
            {
                var pieces = Pieces(word, ref hasKey);
                if (pieces.All(piece => piece.Part == CommandPart.Literal))
                {
                    var length = Encoding.UTF8.GetByteCount(word).ToString(CultureInfo.InvariantCulture);
                    Append(literal, $"${length}\r\n{word}\r\n");
                    continue;
                }

                segments.Add(new CommandSegment([.. literal], []));
                literal.Clear();
                segments.Add(new CommandSegment([], [.. pieces]));
            }

            // Commands of one operation, as in a transaction, are about one key; only MGET's like have several.
            hasKey = false;
        }

        if (literal.Count > 0)
            segments.Add(new CommandSegment([.. literal], []));
        return [.. segments];
    }

    private static void Append(List<byte> bytes, string text) => bytes.AddRange(Encoding.UTF8.GetBytes(text));

    private static List<CommandPiece> Pieces(string word, ref bool hasKey)
    {
        var pieces = new List<CommandPiece>();
        var position = 0;
        while (position < word.Length)
        {
            var (start, length, part) = Next(word, position);
            if (start > position)
                pieces.Add(new CommandPiece(CommandPart.Literal, Encoding.UTF8.GetBytes(word[position..start])));
            if (length > 0)
            {
                var isAnother = part == CommandPart.Key && hasKey;
                hasKey |= part == CommandPart.Key;
                pieces.Add(new CommandPiece(isAnother ? CommandPart.AnotherKey : part, []));
            }

            position = start + length;
        }

        return pieces;
    }

    private static (int Start, int Length, CommandPart Part) Next(string word, int position)
    {
        var found = Placeholders
            .Select(one =>
                (Start: word.IndexOf(one.Text, position, StringComparison.Ordinal), one.Text.Length, one.Part))
            .Where(one => one.Start >= 0)
            .DefaultIfEmpty((word.Length, 0, CommandPart.Literal))
            .MinBy(one => one.Item1);
        return found;
    }

    private static string? UnknownPlaceholder(string word)
    {
        foreach (var (known, _) in Placeholders)
            word = word.Replace(known, " ", StringComparison.Ordinal);
        var start = word.IndexOf("__", StringComparison.Ordinal);
        var end = start < 0 ? -1 : word.IndexOf("__", start + 2, StringComparison.Ordinal);
        return end < 0 ? null : word[start..(end + 2)];
    }

    private static List<List<string>> Commands(List<string> words)
    {
        var commands = new List<List<string>> { new() };
        foreach (var word in words)
        {
            if (word == ";")
                commands.Add([]);
            else
                commands[^1].Add(word);
        }

        return commands;
    }

    private static bool TrySplit(string text, out List<string> words, [NotNullWhen(false)] out string? problem)
    {
        words = [];
        problem = null;
        var word = new StringBuilder();
        var isInWord = false;
        var quote = '\0';
        foreach (var letter in text)
        {
            if (quote != '\0' ? letter == quote : letter is '"' or '\'')
            {
                quote = quote == '\0' ? letter : '\0';
                isInWord = true;
            }
            else if (quote == '\0' && char.IsWhiteSpace(letter))
            {
                if (isInWord)
                    words.Add(word.ToString());
                word.Clear();
                isInWord = false;
            }
            else
            {
                word.Append(letter);
                isInWord = true;
            }
        }

        if (isInWord)
            words.Add(word.ToString());
        if (quote != '\0')
            problem = $"a quote ({quote}) is not closed";
        return problem is null;
    }
}
