using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

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
        };

    private static readonly HashSet<string> Expiring =
        new(["set", "update", "insert", "rmw", "multi"], StringComparer.OrdinalIgnoreCase);

    private static readonly HashSet<string> Transient =
        new(["getdel", "del", "ping", "publish", "setex", "getex", "wait"], StringComparer.OrdinalIgnoreCase);

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

    /// <summary>What it writes by SET lives so long.</summary>
    public static CommandTemplate Named(string text, TimeSpan? expiry)
    {
        var template = Named(text);
        return expiry is { } life && !template.OnlyReads && Expiring.Contains(text) ? Expire(text, life) : template;
    }

    /// <summary>Whether an operation leaves nothing behind that lives for ever.</summary>
    public static bool CanExpire(string text) =>
        Named(text).OnlyReads || Expiring.Contains(text) || Transient.Contains(text.Split(':')[0]);

    private static CommandTemplate Expire(string text, TimeSpan life)
    {
        var set = string.Create(
            CultureInfo.InvariantCulture, $"SET __key__ __data__ PX {(long)Math.Ceiling(life.TotalMilliseconds)}");
        return text.ToLowerInvariant() switch
        {
            "rmw" => ReadModifyWrite(set),
            "multi" => Transaction(set),
            _ => Parse(set, Status),
        };
    }

    private static (int Least, int Usual, Func<int, CommandTemplate> Make) Plain(string text, ReplyKinds reply) =>
        (0, 0, _ => Parse(text, reply));

    private static CommandTemplate Parse(string text, params ReplyKinds[] replies) =>
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

    private static CommandTemplate Mget(int count) =>
        Parse($"MGET{Repeat(" __key__", count)}", ReplyKinds.Array) with { Elements = count };

    private static CommandTemplate Scan(int longest) =>
        new($"MGET of 1 to {Text(longest)} neighbouring keys", [], [new CommandShape("MGET", null)])
        {
            ReplyKinds = [ReplyKinds.Array],
            IsRead = true,
            OnlyReads = true,
            LongestRun = longest,
        };

    private static CommandTemplate ReadModifyWrite(string set) =>
        Parse("GET __key__", Value).FollowedBy(Parse(set, Status));

    private static CommandTemplate Transaction(string set) =>
        Parse($"MULTI ; {set} ; EXEC", Status, Status, ReplyKinds.Array) with { Elements = 1 };

    private static string Repeat(string text, int count) => string.Concat(Enumerable.Repeat(text, count));

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
