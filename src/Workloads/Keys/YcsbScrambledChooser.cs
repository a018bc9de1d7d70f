namespace RedisLatency.Workloads.Keys;

// What YCSB 0.18 draws for requestdistribution=zipfian, its faults included
// (site.ycsb.generator.ScrambledZipfianGenerator): a zipfian of θ 0.99 over 10^10 + 1 items, hashed, modulo the
// keys, those expected and one more; what is not there yet is drawn anew. Several popular items share a key.
internal sealed class YcsbScrambledChooser(KeySpace space) : KeyChooser(space)
{
    /// <summary>The items that the inner zipfian has: YCSB means 10^10 and includes both ends.</summary>
    public const long InnerItems = 10_000_000_001;

    public const double InnerZeta = 26.46902820178302;

    private readonly GrayZipfian _inner = new(InnerItems, 0.99, InnerZeta);
    private readonly long _items = space.Count + space.ExpectedInserts + 1;

    public override long Next(RandomSource random)
    {
        while (true)
        {
            var key = KeyAt(random.NextDouble());
            if (key < First + Count && key >= First)
                return key;
        }
    }

    /// <summary>The key for a number from 0 up to, not including, 1, whether it is there yet or not.</summary>
    internal long KeyAt(double uniform) => First + (YcsbHash.Of(_inner.ItemAt(uniform)) % _items);
}

// FNV-1a over the eight octets of a number, lowest first, and then Java's Math.abs, which leaves the lowest
// long negative. Source: YCSB 0.18, site.ycsb.Utils.fnvhash64.
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
