using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Verify;

/// <summary>How the members of a hash, a set or a sorted set are read, and found at the other end.</summary>
internal sealed record MemberKind
{
    private static readonly MemberKind Hash = new()
    {
        Part = "field",
        Length = "HLEN",
        Scan = "HSCAN",
        Step = 2,
        FindMany = "HMGET",
        FindOne = "HGET",
        HasTimes = true,
        IsAbsent = found => found.IsNull,
        IsSame = ValuePages.IsSame,
    };

    private static readonly MemberKind Set = new()
    {
        Part = "member",
        Length = "SCARD",
        Scan = "SSCAN",
        Step = 1,
        FindMany = "SMISMEMBER",
        FindOne = "SISMEMBER",
        IsAbsent = found => found.Number == 0,
        IsSame = (_, _) => true,
    };

    private static readonly MemberKind SortedSet = new()
    {
        Part = "member",
        Length = "ZCARD",
        Scan = "ZSCAN",
        Step = 2,
        FindMany = "ZMSCORE",
        FindOne = "ZSCORE",
        IsAbsent = found => found.IsNull,
        IsSame = (one, other) => BitsOf(one) == BitsOf(other),
    };

    public required string Part { get; init; }

    public required string Length { get; init; }

    public required string Scan { get; init; }

    /// <summary>How many words of a scan are of one member.</summary>
    public required int Step { get; init; }

    public required string FindMany { get; init; }

    /// <summary>The same of one, for servers that do not know the other.</summary>
    public required string FindOne { get; init; }

    public bool HasTimes { get; init; }

    public required Func<RespValue, bool> IsAbsent { get; init; }

    /// <summary>Whether what a scan says of it is what was found.</summary>
    public required Func<RespValue, RespValue, bool> IsSame { get; init; }

    public static MemberKind Of(string type) => type switch
    {
        "hash" => Hash,
        "set" => Set,
        _ => SortedSet,
    };

    // Servers write the same number in more than one way.
    private static long BitsOf(RespValue score) => BitConverter.DoubleToInt64Bits(
        Encoding.ASCII.GetString(score.Content) switch
        {
            "inf" => double.PositiveInfinity,
            "-inf" => double.NegativeInfinity,
            var digits => double.Parse(digits, NumberStyles.Float, CultureInfo.InvariantCulture),
        });
}
