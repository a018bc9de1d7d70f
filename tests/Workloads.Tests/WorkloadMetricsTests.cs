using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Tests.Engine;

namespace RedisLatency.Workloads.Tests;

public class WorkloadMetricsTests
{
    [Theory]
    [InlineData("service.p50<600us", ThresholdOutcome.Met)]
    [InlineData("read-service.p99<900us", ThresholdOutcome.Missed)]
    [InlineData("read-response.p99<1h", ThresholdOutcome.Met)]
    [InlineData("response.mean>400us", ThresholdOutcome.Met)]
    [InlineData("update-service.p99<1h", ThresholdOutcome.MissingSamples)]
    [InlineData("lateness.p50<1s", ThresholdOutcome.NotEnoughSamples)]
    [InlineData("errors<=20", ThresholdOutcome.Met)]
    [InlineData("errors<1%", ThresholdOutcome.Missed)]
    [InlineData("misses==0", ThresholdOutcome.Missed)]
    [InlineData("hits==900", ThresholdOutcome.Met)]
    [InlineData("throughput>=985", ThresholdOutcome.Met)]
    [InlineData("rate>=0.99", ThresholdOutcome.Missed)]
    [InlineData("busy<0.5", ThresholdOutcome.Met)]
    public void Threshold_IsHeldAgainstWhatWasMeasured(string text, ThresholdOutcome outcome)
    {
        var set = SetOf(isOpenLoop: false, out var worker);
        worker.Operations[0] = new() { Sent = 1_005, Completed = 1_000, Hits = 900, Misses = 100, Errors = 5 };
        worker.Operations[1] = new() { Sent = 15, Errors = 15 };
        for (var i = 1; i <= 1_000; i++)
            worker.Service[0].Record(i * 1_000);
        set.TakeBlock(TimeSpan.FromSeconds(1));
        set.EndInterval();
        var threshold = Threshold.Parse(text);
        WorkloadMetrics.Problem(threshold).ShouldBeNull();

        threshold.Evaluate(set).Outcome.ShouldBe(outcome);
    }

    /// <summary>Of 10,000 asked for 44 have no latency: they count as slower than the 9,956 that have.</summary>
    [Theory]
    [InlineData("service.p99.9<60ms", ThresholdOutcome.MissingSamples)]
    [InlineData("response.p99.9<60ms", ThresholdOutcome.MissingSamples)]
    [InlineData("read-service.p99.6<60ms", ThresholdOutcome.MissingSamples)]
    [InlineData("update-response.max<60ms", ThresholdOutcome.MissingSamples)]
    [InlineData("service.mean<60ms", ThresholdOutcome.MissingSamples)]
    [InlineData("lateness.max<60ms", ThresholdOutcome.MissingSamples)]
    [InlineData("service.p99.9<5ms", ThresholdOutcome.Missed)]
    [InlineData("service.p99<60ms", ThresholdOutcome.Met)]
    [InlineData("response.max>5ms", ThresholdOutcome.Met)]
    public void WhatHasNoLatency_IsSlowerThanAllOthers(string text, ThresholdOutcome outcome)
    {
        var set = SetOf(isOpenLoop: true, out var worker);
        foreach (var series in set.Series)
            series.Total.Record(10_000_000, series.Metric.Name.Contains('-') ? 4_978 : 9_956);
        worker.Operations[0] = new() { Sent = 4_998, Completed = 4_978, TimedOut = 12, Lost = 4, Errors = 4 };
        worker.Operations[1] = new() { Sent = 4_998, Completed = 4_978, TimedOut = 20 };
        worker.Load.Unsent = 4;

        set.EndInterval();

        set.Series.Where(one => one.Metric.Name is "service" or "response").ShouldAllBe(one => one.Total.Missing == 44);
        set.Series.Where(one => one.Metric.Name.Contains('-')).ShouldAllBe(one => one.Total.Missing == 22);
        Threshold.Parse(text).Evaluate(set).Outcome.ShouldBe(outcome);
    }

    /// <summary>What <c>/metrics</c> shows would else be of what survived.</summary>
    [Fact]
    public void Histograms_WhileAPhaseGoesOn_HaveWhatIsMissingSoFar()
    {
        var set = SetOf(isOpenLoop: true, out var worker);
        worker.Service[0].Record(1_000_000);
        worker.Operations[0] = new() { Sent = 4, Completed = 1, TimedOut = 2 };
        Take();
        MissingOf("read-service").ShouldBe(2);
        worker.Operations[0].Lost = 1;
        worker.Operations[1] = new() { Sent = 4, Errors = 4 };
        worker.Load.Unsent = 3;
        Take();

        MissingOf("read-service").ShouldBe(3 + 2);
        MissingOf("update-response").ShouldBe(4 + 2);
        MissingOf("lateness").ShouldBe(3);

        long MissingOf(string name) => set.Histograms.Single(one => one.Metric.Name == name).Total.Missing;

        void Take()
        {
            set.TakeBlock(TimeSpan.FromSeconds(1));
            set.EndInterval();
        }
    }

    /// <summary>Which of its two commands was not answered is not counted: it can be either.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void PartsOfAnOperation_LackWhatItLacks(bool isOpenLoop)
    {
        var worker = new WorkerCounts(1, isOpenLoop, [true]);
        var set = new MetricSet();
        WorkloadMetrics.AddSeries(set, EngineTest.Mix("rmw"), [worker], isOpenLoop);
        worker.Operations[0] = new() { Sent = 4, Completed = 1, TimedOut = 2, Lost = 1 };
        set.TakeBlock(TimeSpan.FromSeconds(1));
        set.EndInterval();

        set.Series.Where(one => one.Metric.Name.StartsWith("rmw-", StringComparison.Ordinal))
            .ShouldAllBe(one => one.Total.Missing == 3);
        Threshold.Parse("rmw-read-service.max<1h").Evaluate(set).Outcome.ShouldNotBe(ThresholdOutcome.Met);
    }

    [Theory]
    [InlineData("servic.p50<1ms", "did you mean service?")]
    [InlineData("service<1", "service needs a statistic")]
    [InlineData("read-service<1", "read-service needs a statistic")]
    [InlineData("errors.p99<1ms", "errors is one number")]
    public void Threshold_OnWhatThereIsNot_IsRefused(string text, string reason) =>
        WorkloadMetrics.Problem(Threshold.Parse(text)).ShouldNotBeNull().ShouldContain(reason);

    [Fact]
    public void Recorded_OfWhatHappenedToConnections_IsEachByItsName()
    {
        var set = new MetricSet();
        var load = new LoadCounts
        {
            ConnectionsLost = 5,
            Reconnected = 4,
            Renewed = 3,
            ReadsOfPrimary = 2,
            Contradictions = 1,
        };
        var progress = new EngineProgress(1, default, load);
        WorkloadMetrics.AddCounts(set, () => progress, isOpenLoop: false);
        WorkloadMetrics.AddRates(set, () => 985, () => null, () => 0.3);

        var rows = set.Recorded;

        ((Metric[])
        [
            Counted.ConnectionsLost, Counted.Reconnected, Counted.Renewed, Counted.ReadsOfPrimary,
            Counted.Contradictions,
        ]).Select(metric => rows.Count(metric)).ShouldBe([5, 4, 3, 2, 1]);
        rows.Single(row => row.Name == "busy").Merge.ShouldBe(MergeRule.Max);
    }

    private static MetricSet SetOf(bool isOpenLoop, out WorkerCounts worker)
    {
        var own = worker = new WorkerCounts(2, isOpenLoop);
        var set = new MetricSet();
        WorkloadMetrics.AddSeries(set, EngineTest.Mix("read", "update"), [own], isOpenLoop);
        WorkloadMetrics.AddCounts(set, Progress, isOpenLoop);
        WorkloadMetrics.AddRates(set, () => 985, () => 1_000, () => 0.3);
        return set;

        EngineProgress Progress()
        {
            var sum = own.Operations[0];
            sum.Add(own.Operations[1]);
            return new EngineProgress(1, sum, default);
        }
    }
}
