using RedisLatency.Server.Delays;

namespace RedisLatency.Server.Links;

/// <summary>A datagram inside the link; used again when it has come out.</summary>
internal sealed class HeldDatagram(DatagramFlow flow) : IDueAction
{
    private const int Grain = 512;

    private byte[] _buffer = [];
    private int _length;

    public ReadOnlySpan<byte> Bytes => _buffer.AsSpan(0, _length);

    public long ArrivedNs { get; private set; }

    public long AskedNs { get; private set; }

    /// <summary>Which it was of those that went in.</summary>
    public long Order { get; private set; }

    public bool IsDoubled { get; private set; }

    public void Keep(ReadOnlySpan<byte> datagram, long arrivedNs, long askedNs, long order, bool isDoubled)
    {
        if (_buffer.Length < datagram.Length)
            _buffer = new byte[(datagram.Length + Grain - 1) / Grain * Grain];
        datagram.CopyTo(_buffer);
        _length = datagram.Length;
        (ArrivedNs, AskedNs, Order, IsDoubled) = (arrivedNs, askedNs, order, isDoubled);
    }

    public void Act() => flow.Release(this);

    public void Abandon() => flow.Abandon(this);
}
