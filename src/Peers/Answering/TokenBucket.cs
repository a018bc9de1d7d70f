namespace RedisLatency.Peers.Answering;

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

    /// <summary>Takes the token that <see cref="HasToken"/> found.</summary>
    public void Take() => _tokens--;
}
