using System.Diagnostics.CodeAnalysis;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Peers.Probing;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>A writer's clock against ours, as of the last Feed. One thread at a time, but for TryConvert.</summary>
internal sealed class PeerClock : IWriterTime, IDisposable
{
    public const string NotKnown = "two clocks, and the probes bound nothing: what they differ by is not known";

    private const string SameClock = "same clock";

    // A rate over a shorter time says less.
    private const long BetweenSamplesNs = 900_000_000;

    private const long LongestHearOutNs = 3_000_000_000;
    private const long HearOutPauseNs = 50_000_000;

    private readonly HostClockWatch _watch = new();
    private readonly OffsetTracker _tracker;
    private readonly ClockStatusFeed _statuses;
    private readonly PairProbes _probes;
    private readonly long _readCostNs = Math.Max(1, (long)Math.Ceiling(ClockReadCost.Measure().MedianNs));
    private volatile OffsetWindow? _known;
    private volatile bool _isOneClock;
    private long _sampledNs = long.MinValue / 2;
    private bool _isComplete;

    public PeerClock(Announcement announced, IReadOnlyList<ProbeRoute> routes, bool usesClaims)
    {
        _tracker = new OffsetTracker(new OffsetAssumptions { UsesClaims = usesClaims });
        _statuses = new ClockStatusFeed(_tracker);
        IsSaidToBeOne = usesClaims && ClockIdentity.Read().ClaimsSameClock(announced.Clock);
        _probes = new PairProbes(new ProbeExchange(
            new ProbeExchangeOptions
            {
                Run = announced.Session,
                Answerer = announced.Session,
                Key = ProbeKey.Parse(announced.ProbeKey)
                    ?? throw new ArgumentException("It announces no key to ask with.", nameof(announced)),
            },
            routes))
        {
            Heard = (probe, isDirect) => Heard?.Invoke(probe, isDirect),
        };
    }

    public Action<ClockProbe, bool>? Heard { get; set; }

    public long Answers => _probes.Counts.Answered;

    public string? Problem => _probes.Problem;

    public IReadOnlyCollection<string> Routes => _probes.Routes;

    public OffsetTotals Totals => _tracker.Totals;

    public long UnseenMomentNs => _tracker.UnseenMomentNs;

    public bool IsSaidToBeOne { get; }

    public bool IsOneClock => _isOneClock;

    public void Feed()
    {
        if (_isComplete)
            return;
        _probes.Feed(_tracker, _statuses);
        var now = MonotonicClock.NowNs();
        if (now - _sampledNs >= BetweenSamplesNs)
            SampleRate();
        var known = _tracker.Provisional;
        _isOneClock = IsSaidToBeOne && known is not null
            && Math.Abs(known.OffsetAt(now)) <= known.ErrorAt(now) + _readCostNs;
        _known = known;
    }

    public void Complete()
    {
        if (_isComplete)
            return;
        Feed();
        // A slew that begins in the last second hardly shows before the second sample after it.
        var endNs = MonotonicClock.NowNs();
        while (_probes.IsAnswered && !_tracker.KnowsRates(endNs)
            && MonotonicClock.NowNs() - endNs < LongestHearOutNs)
        {
            Pacer.WaitUntil(MonotonicClock.NowNs() + HearOutPauseNs);
            Feed();
        }

        _probes.Stop(_tracker, _statuses);
        _tracker.Complete(MonotonicClock.NowNs());
        _isComplete = true;
    }

    public bool TryTake([NotNullWhen(true)] out OffsetWindow? window) => _tracker.TryTake(out window);

    public bool TryConvert(long ownNs, out long writerNs, out long errorNs)
    {
        (writerNs, errorNs) = (0, 0);
        if (_known is not { } known)
            return false;
        (writerNs, errorNs) = _isOneClock
            ? (ownNs, _readCostNs)
            : (ownNs + known.OffsetAt(ownNs), known.ErrorAt(ownNs));
        return true;
    }

    public string Describe(long errorNs)
    {
        var now = MonotonicClock.NowNs();
        return TryConvert(now, out var writer, out _)
            ? Describe(writer - now, errorNs, IsOneClock)
            : NotKnown;
    }

    public string Describe(long offsetNs, long errorNs, bool isOneClock, string proof = "")
    {
        if (isOneClock)
        {
            return $"writer and reader read one clock, ±{Quantity.Duration(errorNs)} at the worst (both say so, and "
                + $"probes agree{proof})";
        }

        return $"the writer's clock is {Quantity.Duration(Math.Abs(offsetNs))} "
            + $"{(offsetNs < 0 ? "behind" : "ahead of")} this one, ±{Quantity.Duration(errorNs)} at the worst "
            + $"(probes by {string.Join(" and ", Routes)}{proof})";
    }

    public void Dispose()
    {
        _probes.Dispose();
        _watch.Dispose();
    }

    private void SampleRate()
    {
        var own = _watch.Sample();
        _sampledNs = own.SampledAtNs;
        _statuses.HearOwn(own);
        if (IsSaidToBeOne)
        {
            _tracker.Add(new OffsetClaim(
                SameClock, OffsetClaimKind.SameClock, own.SampledAtNs, -_readCostNs, _readCostNs));
        }
    }
}
