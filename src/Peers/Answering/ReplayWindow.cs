namespace RedisLatency.Peers.Answering;

/// <summary>
/// Tells a sequence number that has come before from a new one, for the last 64: the anti-replay window of RFC 4303,
/// 3.4.3. What is older than the window counts as a repetition.
/// </summary>
internal struct ReplayWindow
{
    private const int Width = 64;

    private long _highest;
    private ulong _seen;

    /// <summary>Whether the number, from 1, is new; it is remembered.</summary>
    public bool TryTake(long sequence)
    {
        if (sequence <= 0)
            return false;
        if (sequence > _highest)
        {
            var ahead = sequence - _highest;
            _seen = ahead < Width ? (_seen << (int)ahead) | 1 : 1;
            _highest = sequence;
            return true;
        }

        var behind = _highest - sequence;
        if (behind >= Width || (_seen & (1UL << (int)behind)) != 0)
            return false;
        _seen |= 1UL << (int)behind;
        return true;
    }
}
