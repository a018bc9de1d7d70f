namespace RedisLatency.Peers.Probing;

/// <summary>
/// The askers that have shown that they have the key: what each has asked before, and how much more it may. A fixed
/// number of slots; a newcomer takes that of whoever was silent longest, if it was silent long enough.
/// </summary>
internal sealed class RequesterTable(ProbeResponderOptions options)
{
    private const long SilentAfterNs = 10_000_000_000;

    private readonly Slot[] _slots = new Slot[options.MostAskers];
    private int _last;

    public AskerVerdict Judge(ulong asker, long sequence, long nowNs)
    {
        var index = SlotOf(asker, nowNs);
        if (index < 0)
            return AskerVerdict.OverRate;
        ref var slot = ref _slots[index];
        slot.HeardNs = nowNs;
        if (!slot.Window.TryTake(sequence))
            return AskerVerdict.Repeated;
        if (!slot.Bucket.HasToken(nowNs))
            return AskerVerdict.OverRate;
        slot.Bucket.Take();
        return AskerVerdict.Answer;
    }

    private int SlotOf(ulong asker, long nowNs)
    {
        if (_slots[_last].IsTaken && _slots[_last].Asker == asker)
            return _last;
        var longestSilent = 0;
        for (var i = 0; i < _slots.Length; i++)
        {
            if (_slots[i].IsTaken && _slots[i].Asker == asker)
                return _last = i;
            if (Heard(i) < Heard(longestSilent))
                longestSilent = i;
        }

        if (_slots[longestSilent].IsTaken && nowNs - _slots[longestSilent].HeardNs < SilentAfterNs)
            return -1;
        _slots[longestSilent] = new Slot
        {
            IsTaken = true,
            Asker = asker,
            HeardNs = nowNs,
            Bucket = new TokenBucket(options.RatePerAsker, options.RatePerAsker / 4, nowNs),
        };
        return _last = longestSilent;
    }

    private long Heard(int index) => _slots[index].IsTaken ? _slots[index].HeardNs : long.MinValue;

    private struct Slot
    {
        public bool IsTaken;
        public ulong Asker;
        public long HeardNs;
        public ReplayWindow Window;
        public TokenBucket Bucket;
    }
}

internal enum AskerVerdict
{
    Answer,

    /// <summary>It has come before, or is older than what is remembered: a replay.</summary>
    Repeated,

    /// <summary>The asker has asked too much, or there are too many askers.</summary>
    OverRate,
}

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

/// <summary>So many a second, after a pause a few at once. For one thread; the caller says the time.</summary>
internal struct TokenBucket
{
    private const double NsPerSecond = 1e9;

    private readonly double _perNs;
    private readonly double _most;
    private double _tokens;
    private long _filledNs;

    public TokenBucket(double perSecond, double burst, long nowNs)
    {
        _perNs = perSecond / NsPerSecond;
        _tokens = _most = Math.Max(1, burst);
        _filledNs = nowNs;
    }

    public bool HasToken(long nowNs)
    {
        // A clock that stands still or steps back fills nothing.
        if (nowNs > _filledNs)
        {
            _tokens = Math.Min(_most, _tokens + ((nowNs - _filledNs) * _perNs));
            _filledNs = nowNs;
        }

        return _tokens >= 1;
    }

    public void Take() => _tokens--;
}
