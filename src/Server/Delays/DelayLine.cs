namespace RedisLatency.Server.Delays;

/// <summary>
/// When what goes one way is due to come out: it waits for its turn on the line (rate), travels (delay and jitter),
/// never passes what went in before it, and waits where the way is stalled.
/// </summary>
internal sealed class DelayLine(LinkWay way, LineRate rate, long startedNs, Random random)
{
    private readonly long _delayNs = LinkClock.Nanoseconds(way.Delay);
    private readonly (long From, long Until)[] _stalls =
    [
        .. way.Stalls.OrderBy(stall => stall.At).Select(stall =>
            (startedNs + LinkClock.Nanoseconds(stall.At), startedNs + LinkClock.Nanoseconds(stall.End))),
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
