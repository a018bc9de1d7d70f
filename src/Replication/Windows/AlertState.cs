using RedisLatency.Hosting.Results;
using RedisLatency.Reports.Verdicts;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Windows;

/// <summary>Whether a threshold holds now, and whether it always did. One thread judges; any may look.</summary>
internal sealed class AlertState(Threshold threshold)
{
    private volatile bool _isRaised;
    private ThresholdResult? _worst;
    private ThresholdResult? _undecided;

    /// <summary>The demand.</summary>
    public Threshold Threshold => threshold;

    /// <summary>Whether it does not hold now.</summary>
    public bool IsRaised => _isRaised;

    /// <summary>Since when it does not, in nanoseconds of the monotonic clock.</summary>
    public long SinceNs { get; private set; }

    /// <summary>How often it came to that.</summary>
    public long Times { get; private set; }

    /// <summary>Takes a result.</summary>
    /// <returns>Whether it changed what <see cref="IsRaised"/> says; what cannot be decided changes nothing.</returns>
    public bool Take(ThresholdResult result, long nowNs)
    {
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

    /// <summary>
    /// What became of it in the whole run: the worst that was measured counts, and a window that could not be decided
    /// where none was worse.
    /// </summary>
    public MeasuredThreshold ToRecord()
    {
        if (_undecided is not null && Times == 0)
            return RunRecordParts.Threshold(_undecided) with { Reason = $"{_undecided}, in a window" };
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
