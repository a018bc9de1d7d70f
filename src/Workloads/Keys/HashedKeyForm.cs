using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Keys;

/// <summary>YCSB 0.18, <c>CoreWorkload.buildKeyName</c> with <c>insertorder=hashed</c>, its default.</summary>
internal sealed class HashedKeyForm(int zeroPadding) : KeyForm
{
    // A sign and 19 digits: the one hash that stays negative.
    private const int MostCharacters = 20;

    private static ReadOnlySpan<byte> Prefix => "user"u8;

    public override int MaximumLength { get; } = Prefix.Length + Math.Max(zeroPadding, MostCharacters);

    public override int Write(long index, Span<byte> destination) => WriteHash(YcsbHash.Of(index), destination);

    internal int WriteHash(long hash, Span<byte> destination)
    {
        Prefix.CopyTo(destination);
        var number = hash < 0 ? 0UL - (ulong)hash : (ulong)hash;
        var digits = DecimalDigits.Count(number);
        var characters = Math.Max(zeroPadding, digits + (hash < 0 ? 1 : 0));
        DecimalDigits.Fill(destination.Slice(Prefix.Length, characters), number);
        if (hash < 0)
            destination[Prefix.Length + characters - digits - 1] = (byte)'-';
        return Prefix.Length + characters;
    }
}
