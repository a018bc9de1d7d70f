namespace RedisLatency.Server.Commands;

internal sealed class StoredString(byte[] key)
{
    public const long Never = 0;

    private byte[] _bytes = [];
    private int _length;

    public byte[] Key { get; } = key;

    public ReadOnlySpan<byte> Value => _bytes.AsSpan(0, _length);

    public int Length => _length;

    /// <summary>Milliseconds since the Unix epoch, or <see cref="Never"/>; changed by <see cref="Database"/>.</summary>
    public long ExpireAt { get; set; }

    /// <summary>Where the key stands for SCAN; stays the same for the key's life.</summary>
    public int Slot { get; set; }

    /// <summary>Where the key stands among those that expire, or -1.</summary>
    public int ExpirySlot { get; set; } = -1;

    public bool IsExpired(long now) => ExpireAt != Never && ExpireAt <= now;

    public void Assign(ReadOnlySpan<byte> value)
    {
        if (_bytes.Length < value.Length || _bytes.Length > (value.Length * 2) + 64)
            _bytes = GC.AllocateUninitializedArray<byte>(value.Length);
        value.CopyTo(_bytes);
        _length = value.Length;
    }

    /// <summary>Writes into the value at an offset, with zeros where nothing was.</summary>
    public void Overwrite(int offset, ReadOnlySpan<byte> part)
    {
        var end = offset + part.Length;
        if (end > _bytes.Length)
            Array.Resize(ref _bytes, (int)Math.Min(Math.Max(end, _bytes.Length * 2L), Array.MaxLength));
        if (offset > _length)
            _bytes.AsSpan(_length, offset - _length).Clear();
        part.CopyTo(_bytes.AsSpan(offset));
        _length = Math.Max(_length, end);
    }
}
