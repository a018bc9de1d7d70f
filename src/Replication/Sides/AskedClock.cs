using System.Diagnostics.CodeAnalysis;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Probes;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Asking;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// A writer's clock, which is asked all the time, against ours: as far as it is known by the last <see cref="Feed"/>.
/// One thread at a time, but for <see cref="TryConvert"/>.
/// </summary>
internal sealed class AskedClock : IWriterTime, IDisposable
{
    private const string SameClock = "same clock";

    // A rate over a shorter time says less.
    private const long BetweenSamplesNs = 900_000_000;

    private readonly HostClockWatch _watch = new();
    private readonly OffsetTracker _tracker;
    private readonly ClockStatusFeed _statuses;
    private readonly PairProbes _probes;
    private readonly long _readCostNs = Math.Max(1, (long)Math.Ceiling(ClockReadCost.Measure().MedianNs));
    private volatile OffsetWindow? _known;
    private volatile bool _isOneClock;
    private long _sampledNs = long.MinValue / 2;
    private bool _isComplete;

    /// <summary>Begins to ask.</summary>
    /// <param name="announced">Whom.</param>
    /// <param name="routes">By which ways, the best one first.</param>
    /// <param name="usesClaims">Whether it counts that both say that they read one clock.</param>
    public AskedClock(Announcement announced, IReadOnlyList<ProbeRoute> routes, bool usesClaims)
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

    /// <summary>Is told of every answer as it is fed, and whether it came from host to host; null for nobody.</summary>
    public Action<ClockProbe, bool>? Heard { get; set; }

    /// <summary>Answers that came.</summary>
    public long Answers => _probes.Counts.Answered;

    /// <summary>What keeps answers from coming; null where nothing does.</summary>
    public string? Problem => _probes.Problem;

    /// <summary>The ways by which answers came.</summary>
    public IReadOnlyCollection<string> Routes => _probes.Routes;

    /// <summary>What became of the probes.</summary>
    public OffsetTotals Totals => _tracker.Totals;

    /// <summary>Whether both say that they read one clock, and that counts.</summary>
    public bool IsSaidToBeOne { get; }

    /// <summary>Whether they say so, and all that was answered so far agrees.</summary>
    public bool IsOneClock => _isOneClock;

    /// <summary>Uses what was answered since the last time; once a second at least.</summary>
    public void Feed()
    {
        if (_isComplete)
            return;
        _probes.Feed(_tracker, _statuses);
        var now = MonotonicClock.NowNs();
        if (now - _sampledNs >= BetweenSamplesNs)
            SampleRate();
        var known = _tracker.Provisional;
        _isOneClock = IsSaidToBeOne && known is not null && Math.Abs(known.OffsetAt(now)) <= known.ErrorAt(now) + _readCostNs;
        _known = known;
    }

    /// <summary>Asks no more: offsets are known as well as they ever will be.</summary>
    public void Complete()
    {
        if (_isComplete)
            return;
        Feed();
        _probes.Stop(_tracker, _statuses);
        _tracker.Complete(MonotonicClock.NowNs());
        _isComplete = true;
    }

    /// <summary>Takes the next window of which nothing more will be known.</summary>
    public bool TryTake([NotNullWhen(true)] out OffsetWindow? window) => _tracker.TryTake(out window);

    /// <inheritdoc/>
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

    /// <summary>What was found out so far, in a line.</summary>
    /// <param name="errorNs">How far it was off at the worst.</param>
    public string Describe(long errorNs)
    {
        var now = MonotonicClock.NowNs();
        return TryConvert(now, out var writer, out _)
            ? Describe(writer - now, errorNs, IsOneClock)
            : "two clocks, and no answer to any probe: what they differ by is not known";
    }

    /// <summary>The same of an offset.</summary>
    /// <param name="offsetNs">The writer's time minus ours.</param>
    /// <param name="errorNs">How far that was off at the worst.</param>
    /// <param name="isOneClock">Whether both say that they read one, and nothing refutes it.</param>
    /// <param name="proof">What else there is to say of how it is known.</param>
    public string Describe(long offsetNs, long errorNs, bool isOneClock, string proof = "")
    {
        if (isOneClock)
        {
            return $"writer and reader read one clock, ±{Quantity.Duration(errorNs)} at the worst (both say so, and probes "
                + $"agree{proof})";
        }

        return $"the writer's clock is {Quantity.Duration(Math.Abs(offsetNs))} {(offsetNs < 0 ? "behind" : "ahead of")} this "
            + $"one, ±{Quantity.Duration(errorNs)} at the worst (probes by {string.Join(" and ", Routes)}{proof})";
    }

    /// <inheritdoc/>
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
