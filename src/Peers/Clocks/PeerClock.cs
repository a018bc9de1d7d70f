using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Peers.Probing;

namespace RedisLatency.Peers.Clocks;

/// <summary>
/// A peer's clock against this host's, by probes and by what both hosts say of their clocks. One thread at a time, but
/// for the conversion, which is as of the last <see cref="Feed"/>.
/// </summary>
/// <param name="tracker">Knows the offset; this host is the producer in it.</param>
/// <param name="isSaidToBeOne">Whether both processes say that they read one clock, and are believed.</param>
/// <param name="probes">The probes to the peer; null where there are none.</param>
/// <param name="own">This host's clock, disposed of with this; null where somebody else samples it.</param>
public sealed class PeerClock(
    OffsetTracker tracker, bool isSaidToBeOne, PairProbes? probes, HostClockWatch? own = null) : IPeerTime, IDisposable
{
    /// <summary>The name of the claim that both processes read one clock.</summary>
    public const string SameClock = "same clock";

    // A rate over a shorter time says less.
    private const long BetweenSamplesNs = 900_000_000;

    private const long LongestHearOutNs = 3_000_000_000;
    private const long HearOutPauseNs = 50_000_000;

    private readonly ClockStatusFeed _statuses = new(tracker);
    private volatile OffsetWindow? _known;
    private volatile bool _isOneClock;
    private long _sampledNs = long.MinValue / 2;
    private bool _isComplete;

    /// <summary>How far two processes that read one clock may differ.</summary>
    public static long ReadCostNs { get; } = Math.Max(1, (long)Math.Ceiling(ClockReadCost.Measure().MedianNs));

    /// <summary>Knows the offset.</summary>
    public OffsetTracker Tracker => tracker;

    /// <summary>The probes to the peer; null where there are none.</summary>
    public PairProbes? Probes => probes;

    /// <summary>How many probes were answered.</summary>
    public long Answers => probes?.Counts.Answered ?? 0;

    /// <summary>Whether both processes say that they read one clock, and are believed.</summary>
    public bool IsSaidToBeOne => isSaidToBeOne;

    /// <summary>Whether they say so, and probes agree.</summary>
    public bool IsOneClock => _isOneClock;

    /// <summary>Feeds as long as somebody may say how a clock ran until now, but for a few seconds at most.</summary>
    /// <returns>The instant until which it is known: nothing is known yet of how clocks ran later.</returns>
    public static long HearOut(Func<long, bool> mayHear, Action feed)
    {
        // A slew that begins in the last second hardly shows before the second sample after it.
        var endNs = MonotonicClock.NowNs();
        while (mayHear(endNs) && MonotonicClock.NowNs() - endNs < LongestHearOutNs)
        {
            Pacer.WaitUntil(MonotonicClock.NowNs() + HearOutPauseNs);
            feed();
        }

        return endNs;
    }

    /// <summary>Takes the answers to probes, and samples this host's clock about once a second.</summary>
    public void Feed()
    {
        if (_isComplete)
            return;
        probes?.Feed(Tracker, _statuses);
        if (own is null)
            return;
        var now = MonotonicClock.NowNs();
        if (now - _sampledNs >= BetweenSamplesNs)
        {
            var status = own.Sample();
            _sampledNs = status.SampledAtNs;
            Hear(status);
        }

        var known = Tracker.Provisional;
        _isOneClock = isSaidToBeOne && known is not null
            && Math.Abs(known.OffsetAt(now)) <= known.ErrorAt(now) + ReadCostNs;
        _known = known;
    }

    /// <summary>Uses what this host says of its clock.</summary>
    public void Hear(in ClockStatus status)
    {
        _statuses.HearLocal(status);
        if (isSaidToBeOne)
        {
            Tracker.Add(new OffsetClaim(
                SameClock, OffsetClaimKind.SameClock, status.SampledAtNs, -ReadCostNs, ReadCostNs));
        }
    }

    /// <summary>Whether the peer, if it is asked, may still say how its clock ran at an instant.</summary>
    public bool MayHear(long atNs) => probes is null or { IsAnswered: true } && !Tracker.KnowsRates(atNs);

    /// <summary>Asks no more, and uses the rest.</summary>
    public void StopProbes() => probes?.Stop(Tracker, _statuses);

    /// <summary>Asks no more: all that will be known of the offset is.</summary>
    public void Complete()
    {
        if (_isComplete)
            return;
        Feed();
        var endNs = HearOut(MayHear, Feed);
        StopProbes();
        Tracker.Complete(endNs);
        _isComplete = true;
    }

    /// <inheritdoc/>
    public bool TryConvert(long ownNs, out long peerNs, out long errorNs)
    {
        (peerNs, errorNs) = (0, 0);
        if (_known is not { } known)
            return false;
        (peerNs, errorNs) = _isOneClock
            ? (ownNs, ReadCostNs)
            : (ownNs + known.OffsetAt(ownNs), known.ErrorAt(ownNs));
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        probes?.Dispose();
        own?.Dispose();
    }
}
