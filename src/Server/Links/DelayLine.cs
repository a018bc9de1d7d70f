namespace RedisLatency.Server.Links;

/// <summary>
/// When what goes one way is due to come out: it waits for its turn on the line (rate), travels (delay and jitter),
/// never passes what went in before it, and waits where the way is stalled.
/// </summary>
internal sealed class DelayLine(LinkSettings way, LineRate rate, long startedNs, Random random)
{
    private readonly long _delayNs = (long)way.Delay.TotalNanoseconds;
    private readonly (long From, long Until)[] _stalls =
    [
        .. way.Stalls.OrderBy(stall => stall.At).Select(stall =>
            (startedNs + (long)stall.At.TotalNanoseconds, startedNs + (long)stall.End.TotalNanoseconds)),
    ];

    private readonly JitterWalk? _jitter = way.Jitter is { } jitter ? new(jitter, new Random(random.Next())) : null;
    private long _lastDueNs;

    /// <summary>What is random of datagrams is drawn from here too, in the order of what goes in.</summary>
    public Random Random => random;

    public int MostAtOnce => rate.MostAtOnce;

    /// <summary>When bytes that are in now come out; what was asked for is delay and jitter alone.</summary>
    public long DueNs(long arrivedNs, int bytes, out long askedNs)
    {
        var sentNs = rate.SentNs(arrivedNs, bytes);
        askedNs = Math.Max(0, _delayNs + (_jitter?.At(sentNs) ?? 0));
        var dueNs = Math.Max(sentNs + askedNs, _lastDueNs);
        foreach (var (from, until) in _stalls)
        {
            if (dueNs >= from && dueNs < until)
                dueNs = until;
        }

        _lastDueNs = dueNs;
        return dueNs;
    }
}

/// <summary>How many bytes a second a way takes, all its connections together.</summary>
internal sealed class LineRate(long bytesPerSecond)
{
    private const double NanosecondsPerSecond = 1e9;

    /// <summary>What a slow line takes in this part of a second is read at once, so that it comes out evenly.</summary>
    private const int GrainsPerSecond = 1000;

    private double _freeNs;

    /// <summary>What should be read at once, at most.</summary>
    public int MostAtOnce { get; } =
        bytesPerSecond > 0 ? (int)Math.Clamp(bytesPerSecond / GrainsPerSecond, 1, int.MaxValue) : int.MaxValue;

    /// <summary>When the last of so many bytes, there since then, has gone.</summary>
    public long SentNs(long arrivedNs, int bytes)
    {
        if (bytesPerSecond <= 0)
            return arrivedNs;
        _freeNs = Math.Max(_freeNs, arrivedNs) + (bytes * NanosecondsPerSecond / bytesPerSecond);
        return (long)_freeNs;
    }
}
