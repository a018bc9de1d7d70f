namespace RedisLatency.Peers.Answering;

/// <summary>
/// The askers that have shown that they have the key: what each has asked before, and how much more it may. A fixed
/// number of places; a newcomer takes that of whoever was silent longest, if it was silent long enough.
/// </summary>
internal sealed class AskerTable(ProbeResponderOptions options)
{
    private const long SilentAfterNs = 10_000_000_000;

    private readonly Place[] _places = new Place[options.MostAskers];
    private int _last;

    public AskerVerdict Judge(ulong asker, long sequence, long nowNs)
    {
        var index = PlaceOf(asker, nowNs);
        if (index < 0)
            return AskerVerdict.OverRate;
        ref var place = ref _places[index];
        place.HeardNs = nowNs;
        if (!place.Window.TryTake(sequence))
            return AskerVerdict.Repeated;
        if (!place.Bucket.HasToken(nowNs))
            return AskerVerdict.OverRate;
        place.Bucket.Take();
        return AskerVerdict.Answer;
    }

    private int PlaceOf(ulong asker, long nowNs)
    {
        if (_places[_last].IsTaken && _places[_last].Asker == asker)
            return _last;
        var longestSilent = 0;
        for (var i = 0; i < _places.Length; i++)
        {
            if (_places[i].IsTaken && _places[i].Asker == asker)
                return _last = i;
            if (Heard(i) < Heard(longestSilent))
                longestSilent = i;
        }

        if (_places[longestSilent].IsTaken && nowNs - _places[longestSilent].HeardNs < SilentAfterNs)
            return -1;
        _places[longestSilent] = new Place
        {
            IsTaken = true,
            Asker = asker,
            HeardNs = nowNs,
            Bucket = new TokenBucket(options.RatePerAsker, options.RatePerAsker / 4, nowNs),
        };
        return _last = longestSilent;
    }

    private long Heard(int index) => _places[index].IsTaken ? _places[index].HeardNs : long.MinValue;

    private struct Place
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
