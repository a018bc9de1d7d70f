using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Verdicts;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Tests.Phases;

public class WorkloadMetricsTests
{
    [Theory]
    [InlineData("service.p50<600us", ThresholdOutcome.Met)]
    [InlineData("read-service.p99<900us", ThresholdOutcome.Missed)]
    [InlineData("read-response.p99<1h", ThresholdOutcome.Met)]
    [InlineData("response.mean>400us", ThresholdOutcome.Met)]
    [InlineData("update-service.p99<1h", ThresholdOutcome.NotEnoughSamples)]
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
        var series = new PhaseSeries(["read", "update"], isOpenLoop: false);
        for (var i = 1; i <= 1_000; i++)
        {
            series.Service.Record(i * 1_000);
            series.All().Single(known => known.Name == "read-service").Series.Total.Record(i * 1_000);
        }

        var summary = new RunSummary
        {
            Name = "run",
            Counts = new() { Asked = 1_020, Sent = 1_020 },
            Rates = new() { Asked = 1_000, Achieved = 985 },
            Workload = new()
            {
                Verb = "run",
                Phase = "run",
                Operations =
                [
                    new() { Name = "read", Command = "GET", Hits = 900, Misses = 100, Errors = 5 },
                    new() { Name = "update", Command = "SET", Errors = 15 },
                ],
                Engine = new()
                {
                    Loop = "epoll",
                    Threads = 1,
                    ConnectionsPerThread = 1,
                    Pipeline = 1,
                    BusyShare = 0.3,
                },
            },
        };
        var threshold = Threshold.Parse(text);
        WorkloadMetrics.Problem(threshold).ShouldBeNull();

        var metrics = new WorkloadMetrics(series, LatencyHistogram.ForLatency(), summary);
        threshold.Evaluate(metrics).Outcome.ShouldBe(outcome);
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
        var series = new PhaseSeries(["read", "update"], isOpenLoop: true);
        foreach (var (name, recorded) in series.All())
            recorded.Total.Record(10_000_000, name.Contains('-') ? 4_978 : 9_956);

        series.AddMissing(new EngineTotals
        {
            Operations =
            [
                new() { Name = "read", Sent = 4_998, Completed = 4_978, TimedOut = 12, Lost = 4, Errors = 4 },
                new() { Name = "update", Sent = 4_998, Completed = 4_978, TimedOut = 20 },
            ],
            Unsent = 4,
        });

        series.All().Where(one => one.Name is "service" or "response")
            .ShouldAllBe(one => one.Series.Total.Missing == 44);
        series.All().Where(one => one.Name.Contains('-')).ShouldAllBe(one => one.Series.Total.Missing == 22);
        var metrics = new WorkloadMetrics(series, LatencyHistogram.ForLatency(), new RunSummary
        {
            Name = "run",
            Counts = new() { Asked = 10_000, Sent = 9_996, Unsent = 4 },
            Rates = new(),
        });
        Threshold.Parse(text).Evaluate(metrics).Outcome.ShouldBe(outcome);
    }

    [Theory]
    [InlineData("servic.p50<1ms", "did you mean service?")]
    [InlineData("service<1", "service needs a statistic")]
    [InlineData("read-service<1", "read-service needs a statistic")]
    [InlineData("errors.p99<1ms", "errors is one number")]
    public void Threshold_OnWhatThereIsNot_IsRefused(string text, string reason) =>
        WorkloadMetrics.Problem(Threshold.Parse(text)).ShouldNotBeNull().ShouldContain(reason);
}
