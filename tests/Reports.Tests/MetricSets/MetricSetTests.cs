using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.Tests.MetricSets;

public class MetricSetTests
{
    private static readonly Metric RoundTrip = new("rtt", MetricKind.Durations);

    [Theory]
    [InlineData("rtt.p50<600us", ThresholdOutcome.Met)]
    [InlineData("rtt.p99<900us", ThresholdOutcome.Missed)]
    [InlineData("rtt.max<=1ms", ThresholdOutcome.Missed)]
    [InlineData("rtt.max<1.01ms", ThresholdOutcome.Met)]
    [InlineData("rtt.mean>400us", ThresholdOutcome.Met)]
    [InlineData("rtt.count==1000", ThresholdOutcome.Met)]
    [InlineData("rtt.p99.9<1h", ThresholdOutcome.NotEnoughSamples)]
    [InlineData("hiccups.max<1s", ThresholdOutcome.NotEnoughSamples)]
    [InlineData("lateness.p50<1s", ThresholdOutcome.UnknownMetric)]
    [InlineData("lost<=20", ThresholdOutcome.Met)]
    [InlineData("lost<2%", ThresholdOutcome.Missed)]
    [InlineData("unsent==0", ThresholdOutcome.Met)]
    [InlineData("received==0", ThresholdOutcome.UnknownMetric)]
    [InlineData("rate>=0.99", ThresholdOutcome.Missed)]
    [InlineData("rate>=98%", ThresholdOutcome.Met)]
    [InlineData("busy<0.9", ThresholdOutcome.NotEnoughSamples)]
    public void Threshold_IsHeldAgainstWhatWasMeasured(string text, ThresholdOutcome outcome)
    {
        var set = new MetricSet();
        var series = new MetricSeries(RoundTrip);
        set.Add(series);
        for (var i = 1; i <= 1_000; i++)
            series.Total.Record(i * 1_000);
        set.Add(Metric.Hiccups, LatencyHistogram.ForLatency());
        set.Add(new("lost", MetricKind.Counter), () => 20, () => 1_000);
        set.Add(new("unsent", MetricKind.Counter), () => 0, () => 1_000);
        set.Add(new("received", MetricKind.Counter), () => null, () => 1_000);
        set.Add(new("rate", MetricKind.Ratio), () => 0.985);
        set.Add(new("busy", MetricKind.Ratio), () => double.NaN);

        Threshold.Parse(text).Evaluate(set).Outcome.ShouldBe(outcome);
    }

    [Fact]
    public void Series_OfTwoStreams_IsTheirSum()
    {
        LatencyRecorder[] streams = [new(), new()];
        var series = new MetricSeries(RoundTrip, streams);
        var set = new MetricSet();
        set.Add(series);
        streams[0].Record(1_000);
        streams[1].Record(2_000);

        set.TakeBlock(TimeSpan.FromSeconds(0.5));
        set.EndInterval();
        streams[1].Record(3_000);
        set.TakeBlock(TimeSpan.FromSeconds(0.5));
        streams[0].Record(4_000);
        set.TakeBlock(TimeSpan.FromSeconds(0.5));
        set.EndInterval();

        series.Interval.TotalCount.ShouldBe(2);
        series.Total.TotalCount.ShouldBe(4);
        series.Blocks.Count.ShouldBe(3);
        series.Total.Min.ShouldBe(1_000);
    }

    /// <summary>Whether it comes before or after its parts.</summary>
    [Fact]
    public void Sum_HasEveryBlockOfItsParts_AndIsNoHistogramOfItsOwn()
    {
        LatencyRecorder[] recorders = [new(), new()];
        var parts = recorders.Select((one, i) => new MetricSeries(RoundTrip with { Name = $"part-{i}" }, one)).ToList();
        var sum = new MetricSeries(RoundTrip, parts);
        var set = new MetricSet("a");
        set.Add(parts[0]);
        set.Add(sum, isLogged: false);
        set.Add(parts[1]);

        for (var block = 1; block <= 2; block++)
        {
            recorders[0].Record(1_000);
            recorders[1].Record(2_000);
            set.TakeBlock(TimeSpan.FromSeconds(1));
            set.EndInterval();
            sum.Interval.TotalCount.ShouldBe(2);
            sum.Total.TotalCount.ShouldBe(2 * block);
        }

        sum.Blocks.Count.ShouldBe(2);
        set.Logged.Select(one => one.Tag).ShouldBe(["a.part-0", "a.part-1"]);
        set.Histograms.Select(one => one.Metric.Name).ShouldBe(["part-0", "part-1"]);
    }

    /// <summary>As all keys are the sum of destinations, and these of shards, of which some are both.</summary>
    [Fact]
    public void Parts_AreTakenWithTheirWhole_AndLoggedUnderTheMarksOfTheirSummaries()
    {
        LatencyRecorder[] recorders = [new(), new(), new()];
        var shards = recorders.Select(one => new MetricSeries(RoundTrip, one)).ToList();
        var first = new MetricSeries(RoundTrip, [shards[0], shards[1]]);
        var all = new MetricSeries(RoundTrip, [first, shards[2]]);
        var whole = SetOf(all);
        foreach (var part in (MetricSeries[])[first, shards[2], shards[0], shards[1], shards[2]])
            whole.Add(SetOf(part));

        for (var block = 1; block <= 2; block++)
        {
            foreach (var recorder in recorders)
                recorder.Record(1_000);
            whole.TakeBlock(TimeSpan.FromSeconds(1));
            whole.EndInterval();
            whole.Logged.Select(one => one.Series.Interval.TotalCount).ShouldBe([3, 2, 1, 1, 1, 1]);
        }

        whole.Logged.Select(one => one.Tag).ShouldBe(["rtt", "b.rtt", "c.rtt", "d.rtt", "e.rtt", "f.rtt"]);
        whole.Logged.Select(one => one.Series.Total.TotalCount).ShouldBe([6, 4, 2, 2, 2, 2]);
        shards[2].Blocks.Count.ShouldBe(2, "nothing is taken twice");
        whole.Series.ShouldBe([all]);

        static MetricSet SetOf(MetricSeries series)
        {
            var set = new MetricSet();
            set.Add(series);
            return set;
        }
    }

    [Fact]
    public void TakeBlock_AllocatesNothing()
    {
        var recorder = new LatencyRecorder();
        var set = new MetricSet();
        set.Add(new MetricSeries(new("rtt", MetricKind.Durations), recorder));
        Take(10);
        var before = GC.GetAllocatedBytesForCurrentThread();

        Take(300);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);

        void Take(int blocks)
        {
            for (var block = 0; block < blocks; block++)
            {
                recorder.Record(1_000 + block);
                set.TakeBlock(TimeSpan.FromSeconds(1.0 / 16));
                if (block % 16 == 15)
                    set.EndInterval();
            }
        }
    }

    [Fact]
    public void Numbers_AreRecordedAsTheyWereDeclared()
    {
        var set = new MetricSet();
        set.Add(Counted.Sent, () => 7);
        set.Add(Counted.Lost, () => null);
        set.Add(new("busy", MetricKind.Ratio) { Merge = MergeRule.Max, Unit = "share" }, () => 0.5);
        set.Add(new("in-flight", MetricKind.Gauge), () => 3);

        var rows = set.Recorded;
        rows.Select(row => row.Name).ShouldBe(["sent", "lost", "busy"], "what is of a moment is no result");
        rows.Count(Counted.Sent).ShouldBe(7);
        rows.Count(Counted.Lost).ShouldBeNull("what is not known is not 0");
        rows.Count(Counted.Asked).ShouldBeNull();
        rows[0].BetterWhen.ShouldBe(BetterWhen.Higher);
        (rows[2].Value, rows[2].Unit, rows[2].Merge).ShouldBe((0.5, "share", MergeRule.Max));
    }

    [Theory]
    [InlineData("clock.p99<1ms", "clock has p50 and max only")]
    [InlineData("clock.max<1ms", null)]
    [InlineData("negatives<1%", "negatives is no share of what was asked for: its limit has no %")]
    [InlineData("throughput>=1%", "throughput is no share of what was asked for: its limit has no %")]
    [InlineData("rtt.count>=99%", "rtt.count is no share of what was asked for: its limit has no %")]
    [InlineData("rtt.count>=99", null)]
    [InlineData("throughput>=10k", null)]
    [InlineData("throughput>=1ms", "throughput is one number: the limit has no unit of time")]
    [InlineData("p99.9<2ms",
        "there is no metric p99.9; did you mean clock.p99.9<2ms? (known: clock, rtt, negatives, throughput)")]
    [InlineData("max<2ms",
        "there is no metric max; did you mean clock.max<2ms? (known: clock, rtt, negatives, throughput)")]
    [InlineData("p999<2ms", "there is no metric p999 (known: clock, rtt, negatives, throughput)")]
    public void Validate_KnowsWhatAMetricHas(string text, string? problem) =>
        Threshold.Parse(text).Validate(
        [
            new("clock", MetricKind.Durations) { Statistics = ["p50", "max"] },
            new("rtt", MetricKind.Durations),
            new("negatives", MetricKind.Counter) { HasShare = false },
            new("throughput", MetricKind.Gauge),
        ]).ShouldBe(problem);
}
