using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Windows;

/// <summary>Which thresholds do not hold now; tells when one no longer does, and when it does again.</summary>
internal sealed class AlertBoard(IReadOnlyList<Threshold> thresholds, SessionEvents events)
{
    /// <summary>The kind of the event that a threshold does not hold any more.</summary>
    public const string Raised = "alert";

    /// <summary>The kind of the event that it holds again.</summary>
    public const string Cleared = "alert-cleared";

    /// <summary>The thresholds.</summary>
    public IReadOnlyList<AlertState> States { get; } = [.. thresholds.Select(threshold => new AlertState(threshold))];

    /// <summary>Those that do not hold now.</summary>
    public IEnumerable<Threshold> Active => States.Where(state => state.IsRaised).Select(state => state.Threshold);

    /// <summary>How often any of them came not to hold.</summary>
    public long Times => States.Sum(state => state.Times);

    /// <summary>Holds them against what was measured.</summary>
    /// <param name="metrics">What was measured.</param>
    /// <param name="isAge">Whether those on the age are meant, which are judged again and again, or the others.</param>
    public void Judge(HeartbeatMetrics metrics, bool isAge)
    {
        for (var i = 0; i < States.Count; i++)
        {
            if (HeartbeatMetrics.IsAge(States[i].Threshold) == isAge)
                Judge(States[i], States[i].Threshold.Evaluate(metrics));
        }
    }

    private void Judge(AlertState state, ThresholdResult result)
    {
        var now = MonotonicClock.NowNs();
        var since = state.SinceNs;
        if (!state.Take(result, now))
            return;
        // Without its mark: the kind says it.
        var text = result.ToString()[2..];
        if (state.IsRaised)
            events.Note(Raised, text);
        else
            events.Note(Cleared, $"{text}; it did not hold for {Quantity.Duration(now - since)}");
    }
}
