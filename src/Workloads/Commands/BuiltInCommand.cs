using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Commands;

/// <summary>The operations that have a name: <c>get</c>, <c>mset:10</c>, <c>rmw</c>.</summary>
internal static class BuiltInCommand
{
    private const ReplyKinds Status = ReplyKinds.SimpleString;
    private const ReplyKinds Value = ReplyKinds.BulkString | ReplyKinds.Null;
    private const ReplyKinds Number = ReplyKinds.Integer;
    private const string Script = "return redis.call('SET', KEYS[1], ARGV[1])";

    private static readonly Dictionary<string, (int Least, int Usual, Func<int, CommandTemplate> Make)> Known =
        new(StringComparer.OrdinalIgnoreCase)
        {
            ["get"] = Plain("GET __key__", Value),
            ["set"] = Plain("SET __key__ __data__", Status),
            ["read"] = Plain("GET __key__", Value),
            ["update"] = Plain("SET __key__ __data__", Status),
            ["insert"] = Plain("SET __key__ __data__", Status),
            ["incr"] = Plain("INCR __key__", Number),
            ["append"] = Plain("APPEND __key__ __data__", Number),
            ["getdel"] = Plain("GETDEL __key__", Value),
            ["del"] = Plain("DEL __key__", Number),
            ["exists"] = Plain("EXISTS __key__", Number),
            ["ping"] = Plain("PING", Status),
            ["publish"] = Plain("PUBLISH __key__ __data__", Number),
            ["multi"] = (0, 0, _ => Transaction("SET __key__ __data__")),
            ["mget"] = (1, 10, Mget),
            ["mset"] = (1, 10, count => Parse($"MSET{Repeat(" __key__ __data__", count)}", Status)),
            ["setrange"] = (0, 0, offset => Parse($"SETRANGE __key__ {Text(offset)} __data__", Number)),
            ["getrange"] = (0, 31, last => Parse($"GETRANGE __key__ 0 {Text(last)}", ReplyKinds.BulkString)),
            ["setex"] = (1, 3600, seconds => Parse($"SETEX __key__ {Text(seconds)} __data__", Status)),
            ["getex"] = (1, 3600, seconds => Parse($"GETEX __key__ EX {Text(seconds)}", Value)),
            ["wait"] = (0, 1, replicas => Parse($"WAIT {Text(replicas)} 1000", Number)),
            ["evalsha"] = (0, 0, _ => Evalsha()),
            ["scan"] = (1, 100, Scan),
            ["rmw"] = (0, 0, _ => ReadModifyWrite("SET __key__ __data__")),
            ["ping-inline"] = (0, 0, _ => PingInline()),
            ["lpush"] = Plain("LPUSH __key__ __data__", Number),
            ["rpush"] = Plain("RPUSH __key__ __data__", Number),
            ["lpop"] = Plain("LPOP __key__", Value),
            ["rpop"] = Plain("RPOP __key__", Value),
            ["lrange"] = (1, 100, count => Parse($"LRANGE __key__ 0 {Text(count - 1)}", ReplyKinds.Array)),
            ["sadd"] = Plain("SADD __key__ element:__rand_int__", Number),
            ["spop"] = Plain("SPOP __key__", Value),
            ["hset"] = Plain("HSET __key__ element:__rand_int__ __data__", Number),
            ["zadd"] = Plain("ZADD __key__ __rand_int__ element:__rand_int__", Number),
            ["zpopmin"] = Plain("ZPOPMIN __key__", ReplyKinds.Array),
            ["xadd"] = Plain("XADD __key__ * myfield __data__", ReplyKinds.BulkString),
        };

    internal static OperationParts ReadAndUpdate { get; } = new("read", "update");

    private static readonly HashSet<string> Expiring =
        new(["set", "update", "insert", "rmw", "multi"], StringComparer.OrdinalIgnoreCase);

    private static readonly HashSet<string> Transient =
        new(
            ["getdel", "del", "ping", "ping-inline", "publish", "setex", "getex", "wait"],
            StringComparer.OrdinalIgnoreCase);

    public static IReadOnlyCollection<string> Names => Known.Keys;

    public static bool TryParse(
        string text,
        [NotNullWhen(true)] out CommandTemplate? template,
        [NotNullWhen(false)] out string? problem)
    {
        template = null;
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        var name = colon < 0 ? text : text[..colon];
        if (!Known.TryGetValue(name, out var command))
        {
            problem = $"'{name}' is no operation; there are {string.Join(", ", Known.Keys)}, and --command for others";
            return false;
        }

        var number = command.Usual;
        var digits = text[(colon + 1)..];
        if (colon >= 0 && (!int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out number)
            || number < command.Least))
        {
            problem = $"'{text}': behind the colon stands a whole number from {Text(command.Least)}";
            return false;
        }

        problem = null;
        template = command.Make(number);
        return true;
    }

    public static CommandTemplate Named(string text) =>
        TryParse(text, out var template, out var problem) ? template : throw new FormatException(problem);

    public static CommandTemplate Named(string text, CommandChoices choices)
    {
        var template = choices.Fields is { } fields ? fields.Named(text) : Named(text);
        if (choices.Expiry is { } life && !template.OnlyReads && Expiring.Contains(text))
            return Expire(text, life);
        if (!choices.KeepsNumbers)
            return template;
        // A score must be a number: redis-benchmark takes 0.
        return text == "zadd"
            ? Parse("ZADD __key__ 0 element:__rand_int__", Number).KeepingNumbers()
            : template.KeepingNumbers();
    }

    /// <summary>Whether an operation leaves nothing behind that lives for ever.</summary>
    public static bool CanExpire(string text) =>
        Named(text).OnlyReads || Expiring.Contains(text) || Transient.Contains(text.Split(':')[0]);

    private static CommandTemplate Expire(string text, InclusiveRange<TimeSpan> life)
    {
        var (least, most) = (Milliseconds(life.Least), Milliseconds(life.Most));
        var set = $"SET __key__ __data__ PX {(least == most ? least : $"__range:{least}..{most}__")}";
        return text.ToLowerInvariant() switch
        {
            "rmw" => ReadModifyWrite(set),
            "multi" => Transaction(set),
            _ => Parse(set, Status),
        };
    }

    private static string Milliseconds(TimeSpan time) =>
        ((long)Math.Ceiling(time.TotalMilliseconds)).ToString(CultureInfo.InvariantCulture);

    private static (int Least, int Usual, Func<int, CommandTemplate> Make) Plain(string text, ReplyKinds reply) =>
        (0, 0, _ => Parse(text, reply));

    internal static CommandTemplate Parse(string text, params ReplyKinds[] replies) =>
        CommandText.TryRead(text, replies, out var template, out var problem)
            ? template
            : throw new FormatException(problem);

    private static CommandTemplate Evalsha()
    {
        // SHA-1 is the name that Redis gives to a script, not a protection.
#pragma warning disable CA5350
        var hash = Convert.ToHexStringLower(SHA1.HashData(Encoding.UTF8.GetBytes(Script)));
#pragma warning restore CA5350
        var plain = Parse($"EVALSHA {hash} 1 __key__ __data__", Status);
        var whole = Parse($"EVAL \"{Script}\" 1 __key__ __data__", Status);
        return plain.PreparedBy(["SCRIPT", "LOAD", Script], whole);
    }

    private static CommandTemplate PingInline() =>
        new("PING, as a line", [new CommandSegment([.. "PING\r\n"u8], [])], [new CommandShape("PING", [])])
        {
            ReplyKinds = [Status],
            IsInline = true,
            CanVerify = true,
        };

    private static CommandTemplate Mget(int count) =>
        Parse($"MGET{Repeat(" __key__", count)}", ReplyKinds.Array) with { Elements = count };

    private static CommandTemplate Scan(int longest) =>
        new($"MGET of 1 to {Text(longest)} neighbouring keys", [], [new CommandShape("MGET", null)])
        {
            ReplyKinds = [ReplyKinds.Array],
            IsRead = true,
            OnlyReads = true,
            LongestRun = longest,
            Place = new KeyPosition([new CommandPiece(CommandPart.Key, [])], command: 0, word: 1),
        };

    private static CommandTemplate ReadModifyWrite(string set) =>
        Parse("GET __key__", Value).FollowedBy(Parse(set, Status)) with { Parts = ReadAndUpdate };

    private static CommandTemplate Transaction(string set) =>
        Parse($"MULTI ; {set} ; EXEC", Status, Status, ReplyKinds.Array) with { Elements = 1 };

    private static string Repeat(string text, int count) => string.Concat(Enumerable.Repeat(text, count));

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
