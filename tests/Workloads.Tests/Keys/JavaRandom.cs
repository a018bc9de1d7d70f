namespace RedisLatency.Workloads.Tests.Keys;

/// <summary>The numbers of <c>java.util.Random</c>, by which YCSB's own generators were run for the vectors.</summary>
internal sealed class JavaRandom(long seed)
{
    private const long Mask = (1L << 48) - 1;

    private long _state = (seed ^ 0x5DEECE66DL) & Mask;

    public double NextDouble() => (((long)Next(26) << 27) + Next(27)) * (1.0 / (1L << 53));

    private int Next(int bits)
    {
        _state = unchecked((_state * 0x5DEECE66DL) + 0xBL) & Mask;
        return (int)(_state >> (48 - bits));
    }
}
