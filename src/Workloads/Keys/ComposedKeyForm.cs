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
