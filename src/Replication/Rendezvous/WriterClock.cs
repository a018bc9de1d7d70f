using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Peers.Clocks;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>
/// The writer's clock as known seconds later: a delay is corrected by the offset of its own moment. Of a single writer
/// all is kept, of several in turn (events are not null) the last minutes. One thread at a time, but for ProvisionalNs.
/// </summary>
internal sealed class WriterClock : IPeerTime, IDisposable
{
    public const long SilenceNs = 5_000_000_000;

    // Windows are known after five or six seconds, as long as answers come.
    private const long LongestOpenNs = 10_000_000_000;
    private const int MostWindows = 64;
    private const string NotKnown = "two clocks, and the probes bound nothing: what they differ by is not known";

    private readonly List<OffsetWindow> _windows = [];
    private readonly SessionEvents? _events;
    private PeerClock _clock;
    private long _heardNs = MonotonicClock.NowNs();
    private long _completedNs = long.MaxValue;
    private long _contradicting;
    private long _steps;
    private bool _isRefuted;
    private volatile bool _isSilent;

    public WriterClock(PeerClock clock, SessionEvents? events = null)
    {
        (_clock, _events) = (clock, events);
        HearAnswers();
    }

    public DirectProbes Direct { get; } = new();

    /// <summary>Whether any writer's clock was one that a test put in the host's place.</summary>
    public bool IsSynthetic { get; set; }

    public PeerClock Now => _clock;

    // The writer's time minus ours as far as it is known now; for any thread.
    public long ProvisionalNs
    {
        get
        {
            var now = MonotonicClock.NowNs();
            return _clock.TryConvert(now, out var writer, out _) ? writer - now : 0;
        }
    }

    // For how long no probe was answered, until now or until nobody asked any more; for any thread.
    public long UnheardNs => Math.Max(
        0, Math.Min(MonotonicClock.NowNs(), Volatile.Read(ref _completedNs)) - Volatile.Read(ref _heardNs));

    public string? HealthProblem => _isSilent ? "the writer does not answer either" : null;

    // negative: delays by more than the clocks may be off; uncorrected: keys of which no delay is known.
    public IEnumerable<string> Faults(long negative, long uncorrected = 0)
    {
        if (IsSynthetic)
            yield return SyntheticClock.Fault;
        if (uncorrected > 0)
            yield return $"Of {Quantity.Count(uncorrected)} keys no delay is known: the writer's clock is not.";
        if (_isRefuted)
            yield return DelayVerdict.RefutedClaim;
        if (_contradicting > 0)
            yield return DelayVerdict.Contradicting(_contradicting);
        if (negative > 0)
            yield return DelayVerdict.Negative(negative);
    }

    // Until when what was found can be corrected.
    public long SettledNs => Math.Max(EndNs, MonotonicClock.NowNs() - LongestOpenNs);

    private long EndNs => _windows.Count == 0 ? 0 : _windows[^1].EndNs;

    private OffsetTotals Totals => _clock.Tracker.Totals;

    // Returns how far the clock may be off now; zero where nothing is known.
    public long Feed()
    {
        _clock.Feed();
        TakeWindows();
        if (_events is not null)
            Note(_events);
        return _clock.TryConvert(MonotonicClock.NowNs(), out _, out var error) ? error : 0;
    }

    // Asks no more: all that was found can be corrected.
    public void Complete()
    {
        _clock.Complete();
        TakeWindows();
        Volatile.Write(ref _completedNs, MonotonicClock.NowNs());
    }

    // All that was found by the one before is settled.
    public void Follow(PeerClock clock)
    {
        _clock.Dispose();
        _clock = clock;
        _windows.Clear();
        HearAnswers();
        Volatile.Write(ref _heardNs, MonotonicClock.NowNs());
        Volatile.Write(ref _completedNs, long.MaxValue);
        _steps = 0;
    }

    public bool TryConvert(long ownNs, out long writerNs, out long errorNs)
    {
        // Where writers follow each other and no answer comes, nothing more will be known either.
        if (_events is not null && ownNs > EndNs)
            return _clock.TryConvert(ownNs, out writerNs, out errorNs);
        (writerNs, errorNs) = (0, 0);
        if (_windows.Count == 0)
            return false;
        // A claim that is refuted falls for all its windows.
        var window = WindowAt(ownNs) is var known && _isRefuted ? known.ByProbes ?? known : known;
        if (!window.IsBounded)
            return false;
        (writerNs, errorNs) = (ownNs + window.OffsetAt(ownNs), window.ErrorAt(ownNs));
        return true;
    }

    public string Describe(long errorNs)
    {
        if (_events is not null || _windows.Count == 0)
        {
            return _clock.TryConvert(MonotonicClock.NowNs(), out _, out _)
                ? Describe(ProvisionalNs, errorNs, _clock.IsOneClock)
                : NotKnown;
        }

        if (_windows.FindLast(window => window.IsBounded) is not { } last)
            return NotKnown;
        var proven = _windows.Count(window => window.IsProven);
        var unseen = _clock.Tracker.UnseenMomentNs;
        var moment = unseen == 0
            ? string.Empty
            : $"; what a clock does and undoes within {Quantity.Duration(unseen)} shows in no probe";
        return Describe(
            last.OffsetAt(last.EndNs), errorNs, _clock.IsSaidToBeOne && !_isRefuted,
            $"; {Quantity.Count(proven)} of {Quantity.Count(_windows.Count)} windows proven{moment}");
    }

    public void Dispose() => _clock.Dispose();

    private string Describe(long offsetNs, long errorNs, bool isOneClock, string proof = "") => isOneClock
        ? $"writer and reader read one clock, ±{Quantity.Duration(errorNs)} at the worst (both say so, and "
            + $"probes agree{proof})"
        : $"the writer's clock is {Quantity.Duration(Math.Abs(offsetNs))} "
            + $"{(offsetNs < 0 ? "behind" : "ahead of")} this one, ±{Quantity.Duration(errorNs)} at the worst "
            + $"(probes by {string.Join(" and ", _clock.Probes?.Routes ?? [])}{proof})";

    private void HearAnswers()
    {
        if (_clock.Probes is { } probes)
            probes.Heard = Hear;
    }

    private void Hear(ClockProbe probe, bool isDirect)
    {
        Volatile.Write(ref _heardNs, Math.Max(_heardNs, probe.ReturnedNs));
        Direct.Hear(probe, isDirect);
    }

    private void TakeWindows()
    {
        while (_clock.Tracker.TryTake(out var window))
        {
            _isRefuted |= window.IsContradicted;
            if (_events is not null && _windows.Count >= MostWindows)
                _windows.RemoveAt(0);
            _windows.Add(window);
        }

        _contradicting = Math.Max(_contradicting, Totals.Contradicting + Totals.Impossible);
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

    private void Note(SessionEvents events)
    {
        var wasSilent = _isSilent;
        _isSilent = UnheardNs > SilenceNs;
        if (wasSilent && !_isSilent)
            events.Note("writer-answers", "source: the writer answers clock probes again");
        if (_isSilent && !wasSilent)
        {
            events.Note(
                "writer-silent",
                $"source: the writer has answered no clock probe for {Quantity.Duration(SilenceNs)}: it is gone, or "
                    + "not reached");
        }

        if (Totals.Steps > _steps)
            events.Note("clock-step",
                "one of the two clocks jumped: ± of the delays of that time covers it, and ages were off meanwhile");
        _steps = Totals.Steps;
        _isRefuted |= _clock.IsSaidToBeOne && !_clock.IsOneClock;
    }
}

/// <summary>What clock probes took from the writer's host to this one. One thread.</summary>
internal sealed class DirectProbes
{
    // Five hours of them, where they are settled at the end only.
    private const int MostUnsettled = 1_000_000;

    private readonly Queue<ClockProbe> _unsettled = new();
    private long _count;
    private double _sumNs;
    private long _leastNs = long.MaxValue;

    public void Hear(ClockProbe probe, bool isDirect)
    {
        if (isDirect && _unsettled.Count < MostUnsettled)
            _unsettled.Enqueue(probe);
    }

    public void Settle(IPeerTime clock, long untilNs)
    {
        while (_unsettled.TryPeek(out var probe) && probe.ReturnedNs <= untilNs)
        {
            _unsettled.Dequeue();
            if (!clock.TryConvert(probe.ReturnedNs, out var arrived, out _))
                continue;
            _count++;
            _sumNs += arrived - probe.EchoedNs;
            _leastNs = Math.Min(_leastNs, arrived - probe.EchoedNs);
        }
    }

    // Null where there are none of either.
    public DirectRoute? Beside(LatencyHistogram delays) => _count == 0 || delays.TotalCount == 0
        ? null
        : new DirectRoute(_count, _sumNs / _count, _leastNs, delays.Mean - (_sumNs / _count), delays.Min - _leastNs);
}
