using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Keys;

/// <summary>How the index of a key becomes the key's bytes. Immutable: all threads may share one.</summary>
internal abstract class KeyForm
{
    public abstract int MaximumLength { get; }

    /// <summary>Whether every index has the same key.</summary>
    public virtual bool IsConstant => false;

    /// <summary>Whether the tag of a slot is in it.</summary>
    public virtual bool HasClusterTag => false;

    /// <summary>The same with other tags, where it has some.</summary>
    public virtual KeyForm WithTags(ClusterTags tags) => this;

    public abstract int Write(long index, Span<byte> destination);

    public static ValueReading<KeyForm> Read(string text) => KeyFormSyntax.Read(text);

    public static string? Problem(string text) => Read(text).Problem;

    public static KeyForm Parse(string text) =>
        Read(text) is { Problem: null, Value: { } form } ? form
            : throw new FormatException($"{text}: {Problem(text)}");
}

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

/// <summary>One key for every index, as redis-benchmark has without <c>-r</c>.</summary>
internal sealed class LiteralKeyForm(byte[] key) : KeyForm
{
    public override int MaximumLength => key.Length;

    public override bool IsConstant => true;

    public override int Write(long index, Span<byte> destination)
    {
        key.CopyTo(destination);
        return key.Length;
    }
}

/// <summary>A key of several parts, for instance with the index in its cluster tag and once more after it.</summary>
internal sealed class ComposedKeyForm(KeyPart[] parts) : KeyForm
{
    public override int MaximumLength { get; } = parts.Sum(part => part.MaximumLength);

    public override bool HasClusterTag { get; } = parts.Any(part => part.IsTag);

    public override KeyForm WithTags(ClusterTags tags) =>
        new ComposedKeyForm([.. parts.Select(part => part.IsTag ? part with { Tags = tags } : part)]);

    public override int Write(long index, Span<byte> destination)
    {
        var length = 0;
        foreach (var part in parts)
            length += part.Write(index, destination[length..]);
        return length;
    }
}

/// <summary>
/// A constant text, the index in decimal (D) or hexadecimal (X, x) with zeros before it, or its cluster tag (T).
/// </summary>
internal sealed record KeyPart(byte[]? Literal, char Format = 'D', int LeastDigits = 1)
{
    // Finding them takes milliseconds, which a start without them need not wait for.
    public ClusterTags? Tags { get; init; } = Format == 'T' ? ClusterTags.All : null;

    public bool IsTag => Literal is null && Format == 'T';

    public int MaximumLength => Literal?.Length
        ?? (Format == 'T' ? ClusterTags.Length : Math.Max(LeastDigits, Format == 'D' ? 19 : 16));

    public int Write(long index, Span<byte> destination)
    {
        if (Literal is not null)
        {
            Literal.CopyTo(destination);
            return Literal.Length;
        }

        if (Format == 'T')
            return Tags!.Write(index, destination);
        var number = (ulong)index;
        if (Format != 'D')
            return WriteHexadecimal(number, destination);
        var digits = Math.Max(LeastDigits, DecimalDigits.Count(number));
        DecimalDigits.Fill(destination[..digits], number);
        return digits;
    }

    private int WriteHexadecimal(ulong number, Span<byte> destination)
    {
        var alphabet = Format == 'X' ? "0123456789ABCDEF"u8 : "0123456789abcdef"u8;
        var digits = Math.Max(LeastDigits, (67 - (int)ulong.LeadingZeroCount(number | 1)) / 4);
        for (var place = digits - 1; place >= 0; place--, number >>= 4)
            destination[place] = alphabet[(int)(number & 15)];
        return digits;
    }
}
