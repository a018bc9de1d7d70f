namespace RedisLatency.Workloads.Keys;

/// <summary>A key of several parts, for instance with the index in its cluster tag and once more after it.</summary>
internal sealed class ComposedKeyForm(KeyPart[] parts) : KeyForm
{
    public override int MaximumLength { get; } = parts.Sum(part => part.MaximumLength);

    public override int Write(long index, Span<byte> destination)
    {
        var length = 0;
        foreach (var part in parts)
            length += part.Write(index, destination[length..]);
        return length;
    }
}

/// <summary>A constant text, or the index in decimal (D) or hexadecimal (X, x) with zeros before it.</summary>
internal sealed record KeyPart(byte[]? Literal, char Format = 'D', int LeastDigits = 1)
{
    public int MaximumLength => Literal?.Length ?? Math.Max(LeastDigits, Format == 'D' ? 19 : 16);

    public int Write(long index, Span<byte> destination)
    {
        if (Literal is not null)
        {
            Literal.CopyTo(destination);
            return Literal.Length;
        }

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
