using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Probes;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Sides;

/// <summary>
/// The writer's clock against ours, and all that is known of it kept: every delay is corrected at the end by the
/// offset of its own moment. One thread at a time.
/// </summary>
internal sealed class WriterClock : IWriterTime
{
    // Five hours of them.
    private const int MostKept = 1_000_000;

    private readonly AskedClock _clock;
    private readonly OffsetHistory _history = new();
    private readonly List<(long EchoedNs, long ReturnedNs)> _directly = [];

    public WriterClock(AskedClock clock)
    {
        _clock = clock;
        _clock.Heard = Keep;
    }

    public long ProvisionalNs
    {
        get
        {
            var now = MonotonicClock.NowNs();
            return _clock.TryConvert(now, out var writer, out _) ? writer - now : 0;
        }
    }

    public long Contradicting => _clock.Totals.Contradicting + _clock.Totals.Impossible;

    public int Contradicted => _history.Windows.Count(window => window.IsContradicted);

    public void Feed()
    {
        _clock.Feed();
        _history.TakeFrom(_clock);
    }

    public void Complete()
    {
        _clock.Complete();
        _history.TakeFrom(_clock);
    }

    public bool TryConvert(long ownNs, out long writerNs, out long errorNs) =>
        _history.TryConvert(ownNs, out writerNs, out errorNs);

    public IEnumerable<long> DirectWays()
    {
        foreach (var (echoed, returned) in _directly)
        {
            if (TryConvert(returned, out var arrived, out _))
                yield return arrived - echoed;
        }
    }

    public string Describe(long errorNs)
    {
        if (_history.Windows.Count == 0)
            return _clock.Describe(errorNs);
        var last = _history.Windows[^1];
        var proven = _history.Windows.Count(window => window.IsProven);
        return _clock.Describe(
            last.OffsetAt(last.EndNs), errorNs, _clock.IsSaidToBeOne && Contradicted == 0,
            $"; {Quantity.Count(proven)} of {Quantity.Count(_history.Windows.Count)} windows proven");
    }

    private void Keep(ClockProbe probe, bool isDirect)
    {
        if (isDirect && _directly.Count < MostKept)
            _directly.Add((probe.EchoedNs, probe.ReturnedNs));
    }
}
