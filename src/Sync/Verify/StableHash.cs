namespace RedisLatency.Sync.Verify;

/// <summary>A hash that is the same in every process: FNV-1a, then the finalizer of SplitMix64.</summary>
internal static class StableHash
{
    private const ulong Offset = 14695981039346656037;
    private const ulong Prime = 1099511628211;

    public static ulong Of(ReadOnlySpan<byte> bytes)
    {
        var hash = Offset;
        foreach (var one in bytes)
            hash = (hash ^ one) * Prime;
        hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
        hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
        return hash ^ (hash >> 31);
    }

    /// <summary>Whether it is of a share of all that could be.</summary>
    public static bool IsWithin(ReadOnlySpan<byte> bytes, double share) =>
        share >= 1 || Of(bytes) / (double)ulong.MaxValue < share;
}
