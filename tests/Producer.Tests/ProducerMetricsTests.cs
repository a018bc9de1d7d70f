using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Producer.Measuring;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer.Tests;

public class ProducerMetricsTests
{
    [Fact]
    public void Metrics_OfATargetThatWasMeasured_AccountForEveryMessage()
    {
        var options = new ProducerOptions { Rate = 2_000, Iterations = 300, WarmUp = new WarmUpLimit(20, null) };
        var plan = new ProducerPlan(options, rateIsGiven: true);
        using var stop = new StopSignal();
        using var target = new SelfContainedTarget(plan, DriverKind.Raw);
        using var session = new TargetSession("in-process", "a", target.Target, plan);
        session.Connect();
        session.Rendezvous(_ => { }, stop);
        session.WarmUp(stop);
        session.Prepare();
        session.Measure(stop);
        session.Metrics.TakeBlock(TimeSpan.FromSeconds(1));
        session.Metrics.EndInterval();
        session.CountMissing();

        var counts = session.Metrics.Recorded;
        counts.Count(Counted.Asked).ShouldBe(300);
        counts.Count(Counted.Owed).ShouldBe(counts.Count(Counted.Sent));
        (counts.Count(Counted.Sent) + counts.Count(Counted.Unsent)).ShouldBe(300);
        (counts.Count(Counted.Returned) + counts.Count(Counted.Late) + counts.Count(Counted.Lost))
            .ShouldBe(counts.Count(Counted.Owed));
        session.Metrics.Series.Select(series => series.Metric.Name).ShouldBe(
            ["rtt-intended", "rtt", "network-intended", "network", "residence", "lateness"]);
        session.Metrics.Logged.Select(one => one.Series).ShouldBe(session.Metrics.Series);
        session.Metrics.Logged.ShouldAllBe(one => one.Tag == $"a.{one.Series.Metric.Name}"
            && one.Series.Total.TotalCount + one.Series.Total.Missing == 300);
        foreach (var demand in (string[])["asked==300", "sent<=100%", "rtt.count<=300", "wrong==0", "rate>0"])
            Threshold.Parse(demand).Evaluate(session.Metrics).Outcome.ShouldBe(ThresholdOutcome.Met, demand);
    }

    [Fact]
    public void Rate_OfAClosedLoop_IsNotOne()
    {
        var plan = new ProducerPlan(new ProducerOptions { Rate = 0, Iterations = 1 }, rateIsGiven: true);
        using var target = new SelfContainedTarget(plan, DriverKind.Raw);
        using var session = new TargetSession("in-process", "a", target.Target, plan);

        Threshold.Parse("rate>=99%").Evaluate(session.Metrics).ToString()
            .ShouldBe("? rate >= 99 %   a closed loop has no asked rate");
    }

    [Fact]
    public void EveryMetric_CanBeAThreshold_AndHasAName_AKindAndAHelp()
    {
        ProducerMetrics.All.ShouldAllBe(metric => metric.Help.EndsWith('.'));
        ProducerMetrics.All.Select(metric => metric.Name).ShouldBeUnique();
        foreach (var metric in ProducerMetrics.All.Where(metric => metric.Kind == MetricKind.Counter))
            ProducerMetrics.Problem(Threshold.Parse($"{metric.Name}==0")).ShouldBeNull();
    }
}
