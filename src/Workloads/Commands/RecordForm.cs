using System.Globalization;

namespace RedisLatency.Workloads.Commands;

/// <summary>Records that are hashes, as YCSB's are: how many fields they have, and which an operation takes.</summary>
internal sealed record RecordForm(int Fields)
{
    // Of hashes RESP3 makes a map.
    private const ReplyKinds Pairs = ReplyKinds.Array | ReplyKinds.Other;

    /// <summary>The operations that there are on such records.</summary>
    public static IReadOnlyList<string> Operations { get; } = ["read", "update", "insert", "rmw", "scan"];

    public string Prefix { get; init; } = "field";

    /// <summary>Otherwise one of them, each as likely as another.</summary>
    public bool ReadsAll { get; init; } = true;

    public bool WritesAll { get; init; }

    /// <summary>The sorted set that inserts note their key in and scans are ordered by; null without one.</summary>
    public string? Index { get; init; }

    /// <summary>What is wrong with the beginning of fields' names, or null.</summary>
    public static string? PrefixProblem(string text) =>
        text.Length > 64 || text.Any(IsUnfit)
            ? "at most 64 letters, digits or signs other than quotes are needed"
            : null;

    /// <summary>What is wrong with the key of an index, or null.</summary>
    public static string? IndexProblem(string text) =>
        text.Length is 0 or > 256 || text.Any(IsUnfit) ? "a key without spaces and quotes is needed" : null;

    private static bool IsUnfit(char letter) => letter is '"' or '\'' || char.IsControl(letter)
        || char.IsWhiteSpace(letter) || letter > '~';

    private CommandTemplate Read => ReadsAll
        ? BuiltInCommand.Parse("HGETALL __key__", Pairs)
        : BuiltInCommand.Parse("HMGET __key__ __field__", ReplyKinds.Array) with { Elements = 1 };

    private CommandTemplate WriteAll => BuiltInCommand.Parse(
        "HMSET __key__" + string.Concat(Enumerable.Range(0, Fields).Select(number =>
            string.Create(CultureInfo.InvariantCulture, $" \"{Prefix}{number}\" __data__"))),
        ReplyKinds.SimpleString);

    private CommandTemplate Update => WritesAll
        ? WriteAll
        : BuiltInCommand.Parse("HMSET __key__ __field__ __data__", ReplyKinds.SimpleString);

    /// <summary>What is wrong with an operation on such records, or null.</summary>
    public string? Problem(string text)
    {
        var name = text.Split(':')[0];
        return !Operations.Contains(name)
                ? $"{name} is of strings; on records of fields there are {string.Join(", ", Operations)}, and --command"
            : name == "scan" && Index is null
                ? "a scan of records of fields needs the order that --index keeps"
            : null;
    }

    public CommandTemplate Named(string text) => text.Split(':') switch
    {
        ["read"] => Read,
        ["update"] => Update,
        ["rmw"] => Read.FollowedBy(Update) with { Parts = BuiltInCommand.ReadAndUpdate },
        ["insert"] when Index is { } index => WriteAll.FollowedBy(
            BuiltInCommand.Parse($"ZADD \"{index}\" __hash__ __key__", ReplyKinds.Integer)),
        ["insert"] => WriteAll,
        ["scan", .. var longest] when Index is { } index =>
            Scan(index, longest is [var digits] ? digits : "100"),
        _ => throw new FormatException(Problem(text)),
    };

    // YCSB 0.18, site.ycsb.db.RedisClient.scan: the keys of so many members from the record's hash on, of which
    // each is then read.
    private CommandTemplate Scan(string index, string longest) =>
        BuiltInCommand.Parse(
            $"ZRANGEBYSCORE \"{index}\" __hash__ +inf LIMIT 0 __range:1..{longest}__", ReplyKinds.Array) with
        {
            Each = Read,
            LongestScan = int.Parse(longest, CultureInfo.InvariantCulture),
        };
}
