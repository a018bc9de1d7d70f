using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Peers.Asking;
using RedisLatency.Hosting.Peers.Datagrams;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Clocks.Identity;
using RedisLatency.Metrics.Clocks.Offsets;
using RedisLatency.Metrics.Clocks.Rates;
using RedisLatency.Replication.Delay.Apart.Announcing;

namespace RedisLatency.Replication.Delay.Apart.Clocks;

/// <summary>
/// The writer's clock against ours: it is asked all the time, and every delay is corrected at the end by the offset of
/// its own moment. One thread at a time.
/// </summary>
internal sealed class WriterClock : IDisposable
{
    private const string SameClock = "same clock";

    // Five hours of them.
    private const int MostKept = 1_000_000;

    private readonly HostClockWatch _watch = new();
    private readonly OffsetTracker _tracker;
    private readonly PairProbes _probes;
    private readonly bool _isOneClock;
    private readonly List<OffsetWindow> _windows = [];
    private readonly long _readCostNs = Math.Max(1, (long)Math.Ceiling(ClockReadCost.Measure().MedianNs));
    private readonly List<(long EchoedNs, long ReturnedNs)> _directly = [];
    private long _provisionalNs;
    private bool _isComplete;

    /// <summary>Begins to ask.</summary>
    /// <param name="announced">Whom.</param>
    /// <param name="routes">By which ways, the best one first.</param>
    /// <param name="usesClaims">Whether it counts that both say that they read one clock.</param>
    public WriterClock(Announcement announced, IReadOnlyList<ProbeRoute> routes, bool usesClaims)
    {
        _tracker = new OffsetTracker(new OffsetAssumptions { UsesClaims = usesClaims });
        _isOneClock = usesClaims && ClockIdentity.Read().ClaimsSameClock(announced.Clock);
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
            Heard = Keep,
        };
    }

    /// <summary>Answers that came.</summary>
    public long Answers => _probes.Counts.Answered;

    /// <summary>What keeps answers from coming; null where nothing does.</summary>
    public string? Problem => _probes.Problem;

    /// <summary>The writer's time minus ours as far as it is known now, in nanoseconds; for any thread.</summary>
    public long ProvisionalNs => Interlocked.Read(ref _provisionalNs);

    /// <summary>Probes that contradict the others.</summary>
    public long Contradicting => _tracker.Totals.Contradicting + _tracker.Totals.Impossible;

    /// <summary>How often one of the clocks was found to have jumped.</summary>
    public long Steps => _tracker.Totals.Steps;

    /// <summary>Windows in which the probes refute that the two clocks are one.</summary>
    public int Contradicted => _windows.Count(window => window.IsContradicted);

    /// <summary>Uses what was answered since the last time; about once a second.</summary>
    public void Feed()
    {
        if (_isComplete)
            return;
        _probes.Feed(_tracker);
        var own = _watch.Sample();
        _tracker.SetRate(ClockSide.Producer, own.SampledAtNs, own.RatePpm);
        if (_isOneClock)
        {
            _tracker.Add(new OffsetClaim(
                SameClock, OffsetClaimKind.SameClock, own.SampledAtNs, -_readCostNs, _readCostNs));
        }

        if (_tracker.Provisional is { } known)
            Interlocked.Exchange(ref _provisionalNs, known.OffsetAt(own.SampledAtNs));
        TakeWindows();
    }

    /// <summary>Asks no more: offsets are known as well as they ever will be.</summary>
    public void Complete()
    {
        if (_isComplete)
            return;
        Feed();
        _probes.Stop(_tracker);
        _tracker.Complete(MonotonicClock.NowNs());
        TakeWindows();
        _isComplete = true;
    }

    /// <summary>The writer's time at one of ours.</summary>
    /// <param name="ownNs">Ours.</param>
    /// <param name="writerNs">The writer's.</param>
    /// <param name="errorNs">How far that may be off.</param>
    /// <returns>False where nothing is known.</returns>
    public bool TryConvert(long ownNs, out long writerNs, out long errorNs)
    {
        (writerNs, errorNs) = (0, 0);
        if (_windows.Count == 0)
            return false;
        var window = WindowAt(ownNs);
        writerNs = ownNs + window.OffsetAt(ownNs);
        errorNs = window.ErrorAt(ownNs);
        return true;
    }

    /// <summary>What probes from host to host took from the writer's to ours, in nanoseconds.</summary>
    public IEnumerable<long> DirectWays()
    {
        foreach (var (echoed, returned) in _directly)
        {
            if (TryConvert(returned, out var arrived, out _))
                yield return arrived - echoed;
        }
    }

    /// <summary>What was found out, in a line.</summary>
    public string Describe(long errorNs)
    {
        if (_windows.Count == 0)
            return "two clocks, and no answer to any probe: what they differ by is not known";
        var last = _windows[^1];
        var proven = _windows.Count(window => window.IsProven);
        var windows = $"{Quantity.Count(proven)} of {Quantity.Count(_windows.Count)} windows proven";
        if (_isOneClock && Contradicted == 0)
        {
            return $"writer and reader read one clock, ±{Quantity.Duration(errorNs)} at the worst (both say so, and probes "
                + $"agree; {windows})";
        }

        var offset = last.OffsetAt(last.EndNs);
        return $"the writer's clock is {Quantity.Duration(Math.Abs(offset))} {(offset < 0 ? "behind" : "ahead of")} this "
            + $"one, ±{Quantity.Duration(errorNs)} at the worst (probes by {string.Join(" and ", _probes.Routes)}; {windows})";
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _probes.Dispose();
        _watch.Dispose();
    }

    private void Keep(ClockProbe probe, bool isDirect)
    {
        if (isDirect && _directly.Count < MostKept)
            _directly.Add((probe.EchoedNs, probe.ReturnedNs));
    }

    private void TakeWindows()
    {
        while (_tracker.TryTake(out var window))
            _windows.Add(window);
    }

    private OffsetWindow WindowAt(long ownNs)
    {
        var (low, high) = (0, _windows.Count - 1);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_windows[middle].EndNs <= ownNs)
                low = middle + 1;
            else
                high = middle;
        }

        return _windows[low];
    }
}
