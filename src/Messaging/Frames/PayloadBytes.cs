namespace RedisLatency.Messaging.Frames;

/// <summary>
/// Incompressible payloads, so that neither a proxy nor a link that compresses makes them lighter than they are.
/// </summary>
internal sealed class PayloadBytes
{
    private readonly byte[] _bytes;
    private readonly PayloadSize _size;
    private readonly Random _random;

    public PayloadBytes(PayloadSize size, int seed)
    {
        _size = size;
        _random = new Random(seed);
        _bytes = new byte[size.Max];
        _random.NextBytes(_bytes);
    }

    public bool IsConstant => _size.IsConstant;

    /// <summary>The next payload; its memory stays the generator's.</summary>
    public ReadOnlySpan<byte> Next() =>
        _bytes.AsSpan(0, _size.IsConstant ? _size.Max : _random.Next(_size.Min, _size.Max + 1));
}
