using System.Numerics;

namespace RedisLatency.Peers.Asking;

/// <summary>A ring between the one thread that puts and the one that takes; never waits, allocates nothing.</summary>
internal sealed class ProbeQueue(int length)
{
    private readonly ExchangedProbe[] _places = new ExchangedProbe[BitOperations.RoundUpToPowerOf2((uint)length)];
    private long _put;
    private long _taken;

    public bool TryPut(in ExchangedProbe probe)
    {
        if (_put - Volatile.Read(ref _taken) >= _places.Length)
            return false;
        _places[_put & (_places.Length - 1)] = probe;
        Volatile.Write(ref _put, _put + 1);
        return true;
    }

    public bool TryTake(out ExchangedProbe probe)
    {
        if (_taken >= Volatile.Read(ref _put))
        {
            probe = default;
            return false;
        }

        probe = _places[_taken & (_places.Length - 1)];
        Volatile.Write(ref _taken, _taken + 1);
        return true;
    }
}
