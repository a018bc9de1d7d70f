namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// FNV-1a over the eight octets of a number, lowest first, and then Java's <c>Math.abs</c>, which leaves the lowest
/// long negative. Source: YCSB 0.18, <c>site.ycsb.Utils.fnvhash64</c>.
/// </summary>
internal static class YcsbHash
{
    private const ulong OffsetBasis = 0xCBF29CE484222325;
    private const ulong Prime = 1099511628211;

    public static long Of(long number)
    {
        var rest = (ulong)number;
        var hash = OffsetBasis;
        for (var octet = 0; octet < sizeof(long); octet++, rest >>= 8)
            hash = (hash ^ (byte)rest) * Prime;
        var signed = (long)hash;
        return signed < 0 ? unchecked(-signed) : signed;
    }
}
