using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Probes;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// The clock of whoever writes now, as it is known some seconds later, and what happened to it. One thread at a time.
/// </summary>
internal sealed class FollowedClock : IWriterTime, IDisposable
{
    private const long SilenceNs = 5_000_000_000;

    // Windows are known after five or six seconds, as long as answers come.
    private const long LongestOpenNs = 10_000_000_000;
    private const int MostWindows = 64;

    private readonly OffsetHistory _history = new(MostWindows);
    private readonly SessionEvents _events;
    private AskedClock _clock;
    private long _answers;
    private long _answeredNs = MonotonicClock.NowNs();
    private long _contradicting;
    private long _steps;
    private bool _isRefuted;
    private volatile bool _isSilent;

    public FollowedClock(AskedClock clock, SessionEvents events)
    {
        (_clock, _events) = (clock, events);
        clock.Heard = Direct.Hear;
    }

    public AskedClock Now => _clock;

    public DirectProbes Direct { get; } = new();

    public string? Illness => _isSilent ? "the writer does not answer either" : null;

    public IEnumerable<string> Faults
    {
        get
        {
            if (_isRefuted)
                yield return DelayVerdict.RefutedClaim;
            if (_contradicting > 0)
                yield return DelayVerdict.Contradicting(_contradicting);
        }
    }

    public long SettledNs => Math.Max(_history.EndNs, MonotonicClock.NowNs() - LongestOpenNs);

    public long Feed()
    {
        _clock.Feed();
        _history.TakeFrom(_clock);
        NoteSilence();
        NoteFaults();
        return _clock.TryConvert(MonotonicClock.NowNs(), out _, out var error) ? error : 0;
    }

    public void Complete()
    {
        _clock.Complete();
        _history.TakeFrom(_clock);
    }

    public void Follow(AskedClock clock)
    {
        _clock.Dispose();
        _clock = clock;
        _history.Clear();
        clock.Heard = Direct.Hear;
        (_answers, _answeredNs, _steps) = (0, MonotonicClock.NowNs(), 0);
    }

    public bool TryConvert(long ownNs, out long writerNs, out long errorNs) =>
        // Where no answer comes, nothing more will be known either.
        ownNs > _history.EndNs
            ? _clock.TryConvert(ownNs, out writerNs, out errorNs)
            : _history.TryConvert(ownNs, out writerNs, out errorNs);

    public void Dispose() => _clock.Dispose();

    private void NoteSilence()
    {
        var now = MonotonicClock.NowNs();
        if (_clock.Answers > _answers)
        {
            (_answers, _answeredNs) = (_clock.Answers, now);
            if (_isSilent)
                _events.Note("writer-answers", "source: the writer answers clock probes again");
            _isSilent = false;
        }
        else if (!_isSilent && now - _answeredNs > SilenceNs)
        {
            _isSilent = true;
            _events.Note(
                "writer-silent",
                $"source: the writer has answered no clock probe for {Quantity.Duration(SilenceNs)}: it is gone, or the way to it");
        }
    }

    private void NoteFaults()
    {
        var totals = _clock.Totals;
        var contradicting = totals.Contradicting + totals.Impossible;
        if (totals.Steps > _steps)
            _events.Note("clock-step", "one of the two clocks jumped: ± of the delays of that time covers it, and ages were off meanwhile");
        if (_clock.IsSaidToBeOne && !_clock.IsOneClock)
            _isRefuted = true;
        _contradicting = Math.Max(_contradicting, contradicting);
        _steps = totals.Steps;
    }
}

/// <summary>What clock probes took from the writer's host to this one, without keeping them. One thread.</summary>
internal sealed class DirectProbes
{
    private readonly Queue<ClockProbe> _unsettled = new();
    private long _count;
    private double _sumNs;
    private long _leastNs = long.MaxValue;

    public void Hear(ClockProbe probe, bool isDirect)
    {
        if (isDirect)
            _unsettled.Enqueue(probe);
    }

    public void Settle(IWriterTime clock, long untilNs)
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

    public DirectWay? Beside(LatencyHistogram delays) => _count == 0 || delays.TotalCount == 0
        ? null
        : new DirectWay(_count, _sumNs / _count, _leastNs, delays.Mean - (_sumNs / _count), delays.Min - _leastNs);
}
