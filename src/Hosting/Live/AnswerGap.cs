using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// The longest time for which nothing was answered although something waited for it, as seen at the end of each block.
/// Allocates nothing.
/// </summary>
internal sealed class AnswerGap
{
    // Shorter ones are seen in the percentiles.
    private const long LeastNs = 500_000_000;

    // What takes long each time is no gap.
    private const int UsualAnswers = 10;

    private readonly MetricSet _set;
    private readonly bool _hasReturns;
    private readonly Func<double?>? _waiting;
    private long _startNs = MonotonicClock.NowNs();
    private double _answeredAtStart;
    private double _before;
    private long _lastNs;
    private long _fromNs;
    private long _longestNs;

    public AnswerGap(MetricSet set)
    {
        _set = set;
        _hasReturns = set.Values.Any(value => value.Metric.Column == LiveColumn.Returned);
        _waiting = set.Values.FirstOrDefault(value => value.Metric.Column == LiveColumn.InFlight)?.Read;
        _lastNs = _startNs;
    }

    /// <summary>When it began after the start, and how long it was; null where there was none worth saying.</summary>
    public Silence? Longest =>
        _longestNs >= LeastNs
            && _longestNs * (_before - _answeredAtStart) >= UsualAnswers * (double)(_lastNs - _startNs)
            ? new Silence(_fromNs - _startNs, _longestNs)
            : null;

    /// <summary>A period ends, and the next begins.</summary>
    public void Restart()
    {
        // Nobody looked while the period was closed: that is no gap.
        _startNs = _lastNs = _fromNs = MonotonicClock.NowNs();
        (_longestNs, _answeredAtStart) = (0, _before);
    }

    /// <summary>A block ends now.</summary>
    public void Poll()
    {
        if (!_hasReturns || _waiting is null)
            return;
        var (now, answered) = (MonotonicClock.NowNs(), _set.Answers);
        if (answered == _before && _waiting() > 0)
            return;
        if (answered != _before && now - _lastNs > _longestNs)
            (_fromNs, _longestNs) = (_lastNs, now - _lastNs);
        (_before, _lastNs) = (answered, now);
    }
}
