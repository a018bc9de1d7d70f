using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

/// <summary>The intervals of a set of metrics: logged, shown, and whether anything comes back.</summary>
internal sealed class MetricIntervals(MetricSet set, IntervalEnd end)
{
    // However long they take: nothing for so long means that nothing comes.
    private const double LeastSilenceNs = 5e9;
    private const int MissedMessages = 10;

    private readonly bool _hasReturns = set.Values.Any(value => value.Metric.Column == LiveColumn.Returned);
    private readonly AnswerGap _gap = new(set);
    private long _sentBefore;
    private double _doneBefore;
    private long _doneNs = long.MaxValue;
    private double _silenceLimitNs;

    /// <summary>Why what is measured is not well; null while it is. Any thread may ask.</summary>
    public string? HealthProblem => MonotonicClock.NowNs() - Volatile.Read(ref _doneNs) is var silence
        && silence > Volatile.Read(ref _silenceLimitNs)
            ? $"nothing came back for {Quantity.Duration(silence)}"
            : null;

    /// <summary>A period ends, and the next begins.</summary>
    public void BeginPeriod() => _gap.Restart();

    public void TakeBlock(TimeSpan duration)
    {
        set.TakeBlock(duration);
        _gap.Poll();
        set.Silence = _gap.Longest;
    }

    public void Take(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        set.EndInterval();
        snapshot.Take(set); // Before the log, which may wait for a disk.
        snapshot.Interval = interval.Duration;
        snapshot.AchievedRate = (snapshot.Sent - _sentBefore) / interval.Duration.TotalSeconds;
        _sentBefore = snapshot.Sent;
        for (var i = 0; i < set.Logged.Count; i++)
            interval.Write(set.Logged[i].Tag, set.Logged[i].Series.Interval);
    }

    public void Describe(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        end(interval, ref snapshot);
        var done = set.Answers + (_hasReturns ? 0 : snapshot.Sent);
        if (done != _doneBefore || snapshot.Phase != RunPhase.Measure || snapshot.IsIdle || _doneNs == long.MaxValue)
            Volatile.Write(ref _doneNs, interval.EndNs);
        _doneBefore = done;
        var missedNs = MissedMessages * 1e9 / (snapshot.TargetRate ?? double.PositiveInfinity);
        Volatile.Write(ref _silenceLimitNs, Math.Max(LeastSilenceNs, missedNs));
    }
}
