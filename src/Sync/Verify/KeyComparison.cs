using System.Globalization;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Verify;

/// <summary>
/// Compares one key after the other, many at a time: each asks what it needs and goes on with the replies. What is
/// under way at once is bounded; a string longer than a piece comes in ranges, another value in pages.
/// </summary>
internal sealed class KeyComparison(VerifiedEnd source, VerifiedEnd destination, VerifyOptions options)
{
    private const string None = "none";
    private const string Hash = "hash";
    private const long UnderWay = 32L << 20;

    private static readonly byte[] Usage = "USAGE"u8.ToArray();

    private static readonly Dictionary<string, string> Lengths = new()
    {
        ["string"] = "STRLEN",
        ["list"] = "LLEN",
        [Hash] = "HLEN",
        ["set"] = "SCARD",
        ["zset"] = "ZCARD",
        ["stream"] = "XLEN",
    };

    private readonly ReplyBudget _room = new(UnderWay);
    private readonly bool _haveOneFormat = source.Server.Format == destination.Server.Format;
    private readonly long _toleranceMs = (long)options.TimeTolerance.TotalMilliseconds;

    /// <summary>Says of a key what this round finds.</summary>
    /// <exception cref="RedisException">A server refuses for good.</exception>
    public async Task Compare(ComparedKey key)
    {
        key.BeginRound();
        try
        {
            key.Difference = key.Origins is { } origins
                ? await CompareWithOrigins(key, origins)
                : await CompareBoth(key);
        }
        catch (RedisException problem) when (MayBeReadLater(problem))
        {
            key.Unread = problem.Message;
        }

        key.EndRound();
    }

    // Lost, refused for now, or replaced between two questions.
    private static bool MayBeReadLater(RedisException problem) =>
        problem.IsTransient
        || problem is RedisServerException { Code: "WRONGTYPE" or "NOGROUP" } or RedisServerException
        {
            Reply: "ERR no such key",
        };

    private async Task<Difference?> CompareWithOrigins(ComparedKey key, IReadOnlyList<KeyName> origins)
    {
        var type = destination.At(key.Destination).Ask("TYPE");
        var there = origins.Select(origin => source.At(origin).Ask("EXISTS")).ToList();
        key.Type = (await type).Text;
        key.IsGone = key.Type == None;
        foreach (var one in there)
        {
            if ((await one).Number > 0)
                return null;
        }

        return key.IsGone ? null : new Difference(DifferenceKind.Extra);
    }

    private async Task<Difference?> CompareBoth(ComparedKey key)
    {
        var (from, to) = (source.At(key.Source), destination.At(key.Destination));
        var types = (from.Ask("TYPE"), to.Ask("TYPE"));
        var times = (TimeOf(from), TimeOf(to));
        var sizes = options.KeysOnly ? default : (from.TryAskOf("MEMORY", Usage), to.TryAskOf("MEMORY", Usage));
        key.Type = (await types.Item1).Text;
        var other = (await types.Item2).Text;
        // What only the destination has is found where its keys are scanned.
        if ((key.IsGone = key.Type == None))
            return null;
        if (other == None)
            return new Difference(DifferenceKind.Missing);
        if (other != key.Type)
        {
            return new Difference(DifferenceKind.Type, Source: key.Type, Destination: other)
            {
                Evidence = StableHash.Of(System.Text.Encoding.UTF8.GetBytes(key.Type)),
            };
        }

        var (sourceTime, otherTime) = (await times.Item1, await times.Item2);
        var value = options.KeysOnly
            ? await CompareLengths(key.Type, from, to)
            : await CompareValues(key, from, to, LargerOf(await sizes.Item1, await sizes.Item2));
        return value ?? CompareTimes(sourceTime, otherTime);
    }

    private static async Task<Difference?> CompareLengths(string type, EndKey from, EndKey to)
    {
        if (!Lengths.TryGetValue(type, out var command))
            return null;
        var lengths = (from.Ask(command), to.Ask(command));
        var (one, other) = ((await lengths.Item1).Number, (await lengths.Item2).Number);
        return one == other ? null
            : new Difference(DifferenceKind.Value, "length", Source: Text(one), Destination: Text(other))
            {
                Evidence = (ulong)one,
            };
    }

    private async Task<Difference?> CompareValues(ComparedKey key, EndKey from, EndKey to, long? size)
    {
        var room = 2 * Math.Min(size ?? ValuePages.Piece, ValuePages.Piece);
        await _room.Take(room);
        try
        {
            if (key.Type != "string" && (!Lengths.ContainsKey(key.Type)
                || (_haveOneFormat && size < ValuePages.Piece)))
            {
                var payloads = (from.Ask("DUMP"), to.Ask("DUMP"));
                var (one, other) = (await payloads.Item1, await payloads.Item2);
                if (!one.IsNull && one.Content.SequenceEqual(other.Content))
                    return null;
                if (!Lengths.ContainsKey(key.Type))
                {
                    key.IsIncomparable = true;
                    return null;
                }
            }

            var pages = new ValuePages(from, to, size, _toleranceMs);
            return key.Type switch
            {
                "string" => await pages.CompareStrings(),
                "list" => await pages.CompareLists(),
                "stream" => await new StreamPages(from, to, pages).Compare(),
                _ => await pages.CompareMembers(key.Type),
            };
        }
        finally
        {
            _room.Give(room);
        }
    }

    private Difference? CompareTimes(KeyTime one, KeyTime other)
    {
        if (one.IsWithin(other, _toleranceMs))
            return null;
        return new Difference(
            DifferenceKind.Time, Source: one.ToString(), Destination: other.ToString())
        { Evidence = one.Evidence };
    }

    private static async Task<KeyTime> TimeOf(EndKey key)
    {
        if (key.End.Knows("PEXPIRETIME"))
            return new KeyTime((await key.Ask("PEXPIRETIME")).Number, IsExact: true);
        var left = (await key.Ask("PTTL")).Number;
        return new KeyTime(left < 0 ? left : key.End.Server.Clock.NowMs + left, IsExact: false);
    }

    // Null where a server does not say.
    private static long? LargerOf(RespValue one, RespValue other) =>
        one.Type == RespType.Integer && other.Type == RespType.Integer ? Math.Max(one.Number, other.Number) : null;

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}

/// <summary>When a key expires, in milliseconds since 1970 by its server's clock; less than 0 where never.</summary>
internal readonly record struct KeyTime(long AtMs, bool IsExact)
{
    public bool IsWithin(KeyTime other, long toleranceMs) => AtMs < 0 || other.AtMs < 0
        ? AtMs < 0 && other.AtMs < 0
        : Math.Abs(AtMs - other.AtMs) <= toleranceMs;

    // One that was computed is not the same to the millisecond each time.
    public ulong Evidence => AtMs < 0 ? 0 : IsExact ? (ulong)AtMs : 1;

    public override string ToString() => AtMs < 0 ? "never" : AtMs.ToString(CultureInfo.InvariantCulture);
}
