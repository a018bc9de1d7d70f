namespace RedisLatency.Redis.Rdb;

/// <summary>
/// A version of the RDB format and whose it is: from Valkey 9 (80) on, types from 22 and opcode 243 mean other things
/// than in Redis.
/// </summary>
/// <param name="IsValkey">Whether Valkey's own numbers hold.</param>
/// <param name="Version">
/// 9 is Redis 5 and 6, 10 is 7.0, 11 is 7.2 and Valkey 7 and 8, 12 is 7.4, 80 is Valkey 9.
/// </param>
public readonly record struct RdbFormat(bool IsValkey, int Version)
{
    /// <summary>The newest that is known of Redis: 8.8.</summary>
    public const int NewestOfRedis = 14;

    /// <summary>The first that is Valkey's own.</summary>
    public const int FirstOfValkey = 80;

    /// <summary>The newest that is known of Valkey: 9.2.</summary>
    public const int NewestOfValkey = 81;

    private const int NewestOfBoth = 11;

    /// <summary>Of a version that stands alone, as a DUMP payload has it.</summary>
    public static RdbFormat Of(int version) => new(version >= FirstOfValkey, version);

    /// <summary>Whether files of it can be read here.</summary>
    public bool IsKnown => IsValkey ? Version is >= FirstOfValkey and <= NewestOfValkey
        : Version is >= 1 and <= NewestOfRedis;

    /// <summary>
    /// The version to stamp a payload with that is of this format and goes to a target of that one: the older of both,
    /// because servers check only that it is not newer than theirs. Valkey 9 and later also turn away what Redis counts
    /// from 12 on. A type that means another thing there keeps its version: such a target refuses it, and it can still
    /// be read for what it is.
    /// </summary>
    public int StampFor(RdbFormat target, byte type)
    {
        if (MeansAnotherThan(target, type))
            return Version;
        var stamp = Math.Min(Version, target.Version);
        return target.IsValkey && !IsValkey ? Math.Min(stamp, NewestOfBoth) : stamp;
    }

    private bool MeansAnotherThan(RdbFormat other, byte type) =>
        type >= RdbType.FirstThatDiffers && IsValkey != other.IsValkey;

    /// <inheritdoc/>
    public override string ToString() => $"{(IsValkey ? "VALKEY" : "REDIS")}{Version}";
}
