using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Live;

public class MetricIntervalsTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Fact]
    public void LiveView_HasWhatTheMetricsSay()
    {
        var (set, counts) = SetOf();
        set.Add(new("wrong", MetricKind.Counter) { Column = LiveColumn.Errors }, () => 3);
        set.Add(new("corrupted", MetricKind.Counter) { Column = LiveColumn.Errors }, () => 4);
        set.Add(new("elsewhere", MetricKind.Counter), () => 99);
        (counts["sent"], counts["returned"]) = (30, 20);
        var intervals = new MetricIntervals(set, (in _, ref snapshot) => snapshot.Progress = snapshot.Sent / 60.0);
        var snapshot = default(LiveSnapshot);

        Describe(intervals, ref snapshot, secondsAgo: 1);
        counts["sent"] = 50;
        Describe(intervals, ref snapshot, secondsAgo: 0);

        snapshot.Sent.ShouldBe(50);
        snapshot.Returned.ShouldBe(20);
        snapshot.Errors.ShouldBe(7);
        snapshot.AchievedRate.ShouldBe(20);
        snapshot.Progress.ShouldBe(50 / 60.0);
    }

    [Theory]
    [InlineData(10, 10)]
    [InlineData(long.MaxValue, 290)]
    public void Counts_AreOfOneMoment_OrAtLeastNoMoreComesBackThanWasSent(long messages, long leastReturned)
    {
        // Between any two readings a message is sent and comes back, until there are no more.
        var (returned, snapshot) = (0L, default(LiveSnapshot));
        var set = new MetricSet();
        foreach (var column in (LiveColumn[])[LiveColumn.Sent, LiveColumn.Returned, LiveColumn.Lost])
        {
            set.Add(new($"{column}", MetricKind.Counter) { Column = column }, () =>
            {
                returned = Math.Min(messages, returned + 1);
                return column == LiveColumn.Lost ? 0 : returned;
            });
        }

        snapshot.Take(set);

        snapshot.Returned.ShouldBeLessThanOrEqualTo(snapshot.Sent);
        snapshot.Returned.ShouldBeGreaterThanOrEqualTo(leastReturned);
        if (messages == 10)
            snapshot.Sent.ShouldBe(snapshot.Returned);
    }

    /// <summary>Nothing came back in the last ten seconds, or is waited for that long by the schedule.</summary>
    [Theory]
    [InlineData(RunPhase.Measure, null, false, true)]
    [InlineData(RunPhase.Measure, 1_000.0, false, true)]
    [InlineData(RunPhase.Measure, 0.1, false, false)]
    [InlineData(RunPhase.Measure, null, true, false)]
    [InlineData(RunPhase.WarmUp, null, false, false)]
    public void WhatDoesNotComeBack_IsAnIllness(RunPhase phase, double? rate, bool isIdle, bool isIll)
    {
        var (set, counts) = SetOf();
        var intervals = new MetricIntervals(set, (in _, ref snapshot) =>
            (snapshot.Phase, snapshot.TargetRate, snapshot.IsIdle) = (phase, rate, isIdle));
        var snapshot = default(LiveSnapshot);
        intervals.HealthProblem.ShouldBeNull();

        for (var secondsAgo = 20; secondsAgo >= 0; secondsAgo--)
        {
            counts["sent"]++;
            counts["returned"] += secondsAgo < 10 ? 0 : 1;
            Describe(intervals, ref snapshot, secondsAgo);
        }

        if (!isIll)
        {
            intervals.HealthProblem.ShouldBeNull();
            return;
        }

        intervals.HealthProblem.ShouldNotBeNull().ShouldStartWith("nothing came back for 10");
        counts["returned"]++;
        Describe(intervals, ref snapshot, secondsAgo: 0);
        intervals.HealthProblem.ShouldBeNull();
    }

    [Fact]
    public void AnswersThatNoColumnShows_AreAnswers()
    {
        var (set, counts) = SetOf();
        var beside = 0;
        set.AnswersBeside = () => beside;
        var intervals = new MetricIntervals(set, (in _, ref snapshot) => snapshot.Phase = RunPhase.Measure);
        var snapshot = default(LiveSnapshot);

        for (var secondsAgo = 20; secondsAgo >= 0; secondsAgo--)
        {
            (counts["sent"], beside) = (counts["sent"] + 1, beside + 1);
            Describe(intervals, ref snapshot, secondsAgo);
        }

        snapshot.Returned.ShouldBe(0);
        intervals.HealthProblem.ShouldBeNull();
    }

    private static void Describe(MetricIntervals intervals, ref LiveSnapshot snapshot, long secondsAgo)
    {
        var now = DateTimeOffset.UnixEpoch;
        using var log = new IntervalLogFile(null, now);
        var endNs = MonotonicClock.NowNs() - (secondsAgo * 1_000_000_000);
        var interval = new TakenInterval(log, now, now + Second, endNs, Second);
        intervals.Take(interval, ref snapshot);
        intervals.Describe(interval, ref snapshot);
    }

    private static (MetricSet Set, Dictionary<string, long> Counts) SetOf()
    {
        var counts = new Dictionary<string, long> { ["sent"] = 0, ["returned"] = 0 };
        var set = new MetricSet();
        set.Add(new("sent", MetricKind.Counter) { Column = LiveColumn.Sent }, () => counts["sent"]);
        set.Add(new("returned", MetricKind.Counter) { Column = LiveColumn.Returned }, () => counts["returned"]);
        return (set, counts);
    }
}
