using RedisLatency.Redis;

namespace RedisLatency.Server.Links;

/// <summary>Datagrams of one sender, one way: each is lost, doubled, held back or let through.</summary>
internal sealed class DatagramFlow(UdpRoute route, WanLink link, LinkDirection direction, int number, UdpPeer exit)
{
    private const int MaxHeld = 1 << 16;

    private readonly DelayLine _line = link.CreateLine(direction, number);
    private readonly LinkSettings _settings = link.Options.Profile[direction];
    private readonly Stack<HeldDatagram> _spare = new();
    private int _heldBytes;
    private int _held;
    private long _taken;
    private long _lastDelivered = -1;

    public void Take(ReadOnlySpan<byte> datagram, long arrivedNs)
    {
        // Always three draws, so that the fate of one does not depend on what the others are asked for.
        var isLost = _line.Random.NextDouble() < _settings.Loss;
        var isDoubled = _line.Random.NextDouble() < _settings.Duplicate;
        var isHeldBack = _line.Random.NextDouble() < _settings.Reorder;
        var dueNs = _line.DueNs(arrivedNs, datagram.Length, out var askedNs);
        if (isHeldBack)
            dueNs += (long)_settings.ReorderBy.TotalNanoseconds;
        var order = _taken++;
        var fate = link.IsCut(direction) ? ChunkFate.Cut
            : isLost ? ChunkFate.Lost
            : _held >= MaxHeld || _heldBytes > link.Options.MaxBuffered ? ChunkFate.Overflow
            : ChunkFate.Delivered;
        if (fate != ChunkFate.Delivered)
        {
            Tell(datagram.Length, arrivedNs, askedNs, releasedNs: 0, fate);
            return;
        }

        if (!_spare.TryPop(out var held))
            held = new HeldDatagram(this);
        held.Keep(datagram, arrivedNs, askedNs, order, isDoubled);
        _held++;
        _heldBytes += datagram.Length;
        link.Due.Add(held, dueNs);
    }

    public void Release(HeldDatagram held)
    {
        if (link.IsCut(direction))
            Tell(held, releasedNs: 0, ChunkFate.Cut);
        else if (Send(held, held.Order < _lastDelivered ? ChunkFate.Overtaken : ChunkFate.Delivered)
            && held.IsDoubled)
            Send(held, ChunkFate.Duplicate);
        Forget(held);
    }

    public void Abandon(HeldDatagram held)
    {
        Tell(held, releasedNs: 0, ChunkFate.Cut);
        Forget(held);
    }

    private bool Send(HeldDatagram held, ChunkFate fate)
    {
        var isSent = exit.TrySend(direction, held.Bytes);
        if (isSent)
            _lastDelivered = Math.Max(_lastDelivered, held.Order);
        Tell(held, isSent ? TimestampSpan.NowNs() : 0, isSent ? fate : ChunkFate.Overflow);
        return isSent;
    }

    private void Forget(HeldDatagram held)
    {
        _held--;
        _heldBytes -= held.Bytes.Length;
        _spare.Push(held);
    }

    private void Tell(HeldDatagram held, long releasedNs, ChunkFate fate) =>
        Tell(held.Bytes.Length, held.ArrivedNs, held.AskedNs, releasedNs, fate);

    private void Tell(int bytes, long arrivedNs, long askedNs, long releasedNs, ChunkFate fate) =>
        route.Tell(new RelayedChunk(route.Index, number, direction, bytes, arrivedNs, askedNs, releasedNs, fate));
}

internal sealed class HeldDatagram(DatagramFlow flow) : IDueAction
{
    private const int Grain = 512;

    private byte[] _buffer = [];
    private int _length;

    public ReadOnlySpan<byte> Bytes => _buffer.AsSpan(0, _length);

    public long ArrivedNs { get; private set; }

    public long AskedNs { get; private set; }

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
