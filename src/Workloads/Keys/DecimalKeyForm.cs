namespace RedisLatency.Workloads.Keys;

/// <summary>The index in decimal, zero-filled, between texts: memtier's, redis-benchmark's, YCSB's ordered.</summary>
internal sealed class DecimalKeyForm(byte[] prefix, int leastDigits, byte[] suffix) : KeyForm
{
    private const int MostDigits = 19;

    public override int MaximumLength { get; } = prefix.Length + Math.Max(leastDigits, MostDigits) + suffix.Length;

    public override int Write(long index, Span<byte> destination)
    {
        prefix.CopyTo(destination);
        var digits = Math.Max(leastDigits, DecimalDigits.Count((ulong)index));
        DecimalDigits.Fill(destination.Slice(prefix.Length, digits), (ulong)index);
        var length = prefix.Length + digits;
        if (suffix.Length > 0)
            suffix.CopyTo(destination[length..]);
        return length + suffix.Length;
    }
}
