using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Monitoring;

/// <summary>Judges the thresholds of a continuous run window by window, and reports each change.</summary>
internal sealed class WindowAlerts(IReadOnlyList<Threshold> thresholds, SessionEvents events)
{
    public const string Raised = "alert";
    public const string Cleared = "alert-cleared";

    public IReadOnlyList<AlertState> States { get; } = [.. thresholds.Select(threshold => new AlertState(threshold))];

    public IEnumerable<Threshold> Active => States.Where(state => state.IsRaised).Select(state => state.Threshold);

    public long Times => States.Sum(state => state.Times);

    // Whether what was on its way when a window ended could still decide.
    public bool AwaitsAnother => States.Any(state => state.AwaitsAnother);

    public void Judge(WindowMetrics metrics, bool isAge)
    {
        for (var i = 0; i < States.Count; i++)
        {
            if (DelayMetrics.IsAge(States[i].Threshold) == isAge)
                Judge(States[i], metrics.Evaluate(States[i].Threshold), metrics.Counts.WithoutDelay == 0);
        }
    }

    private void Judge(AlertState state, ThresholdResult result, bool willBeKnown)
    {
        var now = MonotonicClock.NowNs();
        var since = state.SinceNs;
        if (!state.Take(result, now, willBeKnown))
            return;
        // Without its mark: the kind says it.
        var text = result.ToString()[2..];
        if (state.IsRaised)
            events.Note(Raised, text);
        else
            events.Note(Cleared, $"{text}; it did not hold for {Quantity.Duration(now - since)}");
    }
}

/// <summary>Whether a threshold holds now, and whether it always did. One thread judges; any may read.</summary>
internal sealed class AlertState(Threshold threshold)
{
    private volatile bool _isRaised;
    private ThresholdResult? _worst;
    private ThresholdResult? _undecided;
    private ThresholdResult? _awaited;

    public Threshold Threshold => threshold;

    public bool IsRaised => _isRaised;

    public long SinceNs { get; private set; }
    public long Times { get; private set; }

    public bool AwaitsAnother => _awaited is not null;

    // willBeKnown: what is missing was on its way when the window ended; the window in which it comes, or is still
    // waited for, has it too.
    public bool Take(ThresholdResult result, long nowNs, bool willBeKnown = false)
    {
        _awaited = willBeKnown && result.Outcome == ThresholdOutcome.MissingSamples ? result : null;
        if (_awaited is not null)
            return false;
        if (result.Outcome is not (ThresholdOutcome.Met or ThresholdOutcome.Missed))
        {
            if (result.Outcome is ThresholdOutcome.MissingSamples or ThresholdOutcome.WithinError)
                _undecided ??= result;
            return false;
        }

        if (_worst is null || Badness(result) > Badness(_worst))
            _worst = result;
        var isMissed = result.Outcome == ThresholdOutcome.Missed;
        if (isMissed == _isRaised)
            return false;
        if (isMissed)
        {
            SinceNs = nowNs;
            Times++;
        }

        _isRaised = isMissed;
        return true;
    }

    // What became of it in the whole run: the worst that was measured counts, and a window that could not be decided
    // where none was worse.
    public MeasuredThreshold ToRecord()
    {
        if ((_undecided ?? _awaited) is { } undecided && Times == 0)
            return RunRecordParts.Threshold(undecided) with { Reason = $"{undecided}, in a window" };
        if (_worst is null)
            return RunRecordParts.Threshold(new ThresholdResult(threshold, ThresholdOutcome.NotEnoughSamples, null));
        var times = Times switch
        {
            0 => string.Empty,
            1 => "; alert raised once",
            _ => FormattableString.Invariant($"; alert raised {Times:N0} times"),
        };
        return RunRecordParts.Threshold(_worst) with { Reason = $"{_worst}, at the worst{times}" };
    }

    // The same whether the limit is one from above or from below.
    private double Badness(ThresholdResult result)
    {
        var distance = result.Actual!.Value - threshold.Limit;
        return threshold.Comparison switch
        {
            ThresholdComparison.Less or ThresholdComparison.LessOrEqual => distance,
            ThresholdComparison.Greater or ThresholdComparison.GreaterOrEqual => -distance,
            ThresholdComparison.Equal => Math.Abs(distance),
            _ => -Math.Abs(distance),
        };
    }
}
