using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.Tests.Verdicts;

public sealed class ThresholdTests
{
    private static readonly Metric[] Metrics =
    [
        new("rtt", MetricKind.Durations),
        new("one-way", MetricKind.Durations),
        new("lost", MetricKind.Counter),
        new("rate", MetricKind.Ratio),
        new("age", MetricKind.Duration),
    ];

    [Theory]
    [InlineData("rtt.p99<2ms", "rtt", "p99", ThresholdComparison.Less, 2e6, ThresholdUnit.Nanoseconds)]
    [InlineData("rtt.p99.999 <= 1s", "rtt", "p99.999", ThresholdComparison.LessOrEqual, 1e9, ThresholdUnit.Nanoseconds)]
    [InlineData("rtt.min>500ns", "rtt", "min", ThresholdComparison.Greater, 500, ThresholdUnit.Nanoseconds)]
    [InlineData("rtt.mean<100us", "rtt", "mean", ThresholdComparison.Less, 1e5, ThresholdUnit.Nanoseconds)]
    [InlineData("one-way.min>-1ms", "one-way", "min", ThresholdComparison.Greater, -1e6, ThresholdUnit.Nanoseconds)]
    [InlineData("rtt.count>=10k", "rtt", "count", ThresholdComparison.GreaterOrEqual, 10_000, ThresholdUnit.Number)]
    [InlineData("lost==0", "lost", null, ThresholdComparison.Equal, 0, ThresholdUnit.Number)]
    [InlineData("lost!=0", "lost", null, ThresholdComparison.NotEqual, 0, ThresholdUnit.Number)]
    [InlineData("lost<=0.1%", "lost", null, ThresholdComparison.LessOrEqual, 0.001, ThresholdUnit.Share)]
    [InlineData("age<5s", "age", null, ThresholdComparison.Less, 5e9, ThresholdUnit.Nanoseconds)]
    [InlineData("rate>=0.99", "rate", null, ThresholdComparison.GreaterOrEqual, 0.99, ThresholdUnit.Number)]
    public void Parse_ReadsEveryPart(
        string text, string metric, string? statistic, ThresholdComparison comparison, double limit, ThresholdUnit unit)
    {
        var threshold = Threshold.Parse(text);

        threshold.Metric.ShouldBe(metric);
        threshold.Statistic?.Name.ShouldBe(statistic);
        threshold.Comparison.ShouldBe(comparison);
        threshold.Limit.ShouldBe(limit);
        threshold.Unit.ShouldBe(unit);
        threshold.ToString().ShouldBe(text);
        threshold.Validate(Metrics).ShouldBeNull();
    }

    [Fact]
    public void Parse_OfOneOfSeveral_ReadsWhichOne()
    {
        var threshold = Threshold.Parse("delay{destination=10.2.0.5:6379}.p99.9<50ms");

        (threshold.Metric, threshold.Statistic!.Name).ShouldBe(("delay", "p99.9"));
        threshold.Scope.ShouldBe(new ThresholdScope("destination", "10.2.0.5:6379"));
        threshold.Validate([new("delay", MetricKind.Durations) { Label = "destination" }]).ShouldBeNull();
        Threshold.Parse("missing{destination=b}==0").Scope.ShouldBe(new ThresholdScope("destination", "b"));
        Threshold.Parse("delay.p99<50ms").Scope.ShouldBeNull();
    }

    [Theory]
    [InlineData("rtt.p99<2", "2: a duration needs a unit, for instance 2ms or 2s")]
    [InlineData("rtt.p999<2ms", "p999: a percentile lies between 0 and 100; did you mean p99.9?")]
    [InlineData("rtt.p0<2ms", "p0: a percentile lies between 0 and 100")]
    [InlineData("rtt.median<2ms", "median is no statistic: p50 to p99.999, min, max, mean, count")]
    [InlineData("lost==", "a threshold is needed, for instance 'rtt.p99<2ms', 'lost==0' or 'rate>=0.99'")]
    [InlineData("rtt.p99=2ms", "the comparison must be one of < <= > >= == !=")]
    [InlineData("lost==many", "many: a number is needed, for instance 1000, 10k or 2.6m")]
    [InlineData("lost<1e999", "1e999: a number is needed that is not infinite")]
    [InlineData("lost<=x%", "x%: a percentage is needed, for instance 0.1%")]
    [InlineData("fast", "a threshold is needed, for instance 'rtt.p99<2ms', 'lost==0' or 'rate>=0.99'")]
    [InlineData("", "a threshold is needed, for instance 'rtt.p99<2ms', 'lost==0' or 'rate>=0.99'")]
    public void Parse_OfAMistake_SaysWhatWouldBeRight(string text, string problem)
    {
        Should.Throw<FormatException>(() => Threshold.Parse(text)).Message.ShouldBe($"{text}: {problem}");
    }

    [Theory]
    [InlineData("rt.p99<2ms", "there is no metric rt; did you mean rtt? (known: rtt, one-way, lost, rate, age)")]
    [InlineData("speed>5", "there is no metric speed (known: rtt, one-way, lost, rate, age)")]
    [InlineData("rtt{to=a}.p99<5ms", "rtt is one and has no {to=a}")]
    [InlineData("rtt<5", "rtt needs a statistic, for instance rtt.p99")]
    [InlineData("rtt<5ms", "a time is the limit of a statistic, for instance rtt.p99")]
    [InlineData("lost<5ms", "lost is one number: the limit has no unit of time")]
    [InlineData("age<5", "age is a time: the limit needs a unit, for instance age<5s")]
    [InlineData("age.p99<5s", "age is one time and has no p99")]
    [InlineData("lost.max<5ms", "lost is one number and has no max")]
    public void Validate_BeforeTheRun_FindsWhatCannotBeEvaluated(string text, string problem)
    {
        Threshold.Parse(text).Validate(Metrics).ShouldBe(problem);
    }

    [Theory]
    [InlineData("rtt.p99<2ms", 1_200_000, ThresholdOutcome.Met, "✓ rtt.p99 < 2 ms   1.2 ms")]
    [InlineData("rtt.p99<2ms", 3_000_000, ThresholdOutcome.Missed, "✗ rtt.p99 < 2 ms   3 ms")]
    [InlineData("rtt.p99<2ms", 2_000_000, ThresholdOutcome.Missed, "✗ rtt.p99 < 2 ms   2 ms")]
    [InlineData("rtt.p99<=2ms", 2_000_000, ThresholdOutcome.Met, "✓ rtt.p99 <= 2 ms   2 ms")]
    [InlineData("age<5s", 7_500_000_000, ThresholdOutcome.Missed, "✗ age < 5 s   7.5 s")]
    [InlineData("lost==0", 0, ThresholdOutcome.Met, "✓ lost == 0   0")]
    [InlineData("lost==0", 12_345, ThresholdOutcome.Missed, "✗ lost == 0   12,345")]
    [InlineData("lost!=0", 0, ThresholdOutcome.Missed, "✗ lost != 0   0")]
    [InlineData("lost<=0.1%", 0.0005, ThresholdOutcome.Met, "✓ lost <= 0.1 %   0.05 %")]
    [InlineData("rate>=0.99", 0.98, ThresholdOutcome.Missed, "✗ rate >= 0.99   0.98")]
    [InlineData("rate>0.99", 1, ThresholdOutcome.Met, "✓ rate > 0.99   1")]
    public void Evaluate_PrintsDemandAndValue(string text, double actual, ThresholdOutcome outcome, string line)
    {
        var result = Threshold.Parse(text).Evaluate(new ThresholdReading(actual));

        result.Outcome.ShouldBe(outcome);
        result.ToString().ShouldBe(line);
    }

    [Theory]
    [InlineData("rtt.max<2ms", 3_000_000, "✗ a: rtt.max < 2 ms   > 3 ms")]
    [InlineData("lost==0", 5, "✗ a: lost == 0   at least 5")]
    [InlineData("lost==0", 0, "? a: lost == 0   no end came")]
    public void Evaluate_OfALowerBound_SaysThatItIsOne(string text, double least, string line) =>
        Threshold.Parse(text).Evaluate(new ThresholdReading(least) { Missing = 7, Because = "no end came" })
            .ToString("a").ShouldBe(line);

    [Theory]
    [InlineData(1_000_000, false)]
    [InlineData(double.NaN, true)]
    public void Evaluate_OnTooFewSamples_SaysNeither(double actual, bool hasEnoughSamples)
    {
        var result = Threshold.Parse("rtt.p99.9<2ms").Evaluate(new ThresholdReading(actual, hasEnoughSamples));

        result.Outcome.ShouldBe(ThresholdOutcome.NotEnoughSamples);
        result.ToString().ShouldBe("? rtt.p99.9 < 2 ms   too few samples to say");
    }

    [Theory]
    [InlineData("rtt.p99<2ms", ThresholdOutcome.Met)]
    [InlineData("rtt.p99.9<2ms", ThresholdOutcome.MissingSamples)]
    [InlineData("rtt.max<1h", ThresholdOutcome.MissingSamples)]
    [InlineData("rtt.mean<1h", ThresholdOutcome.MissingSamples)]
    [InlineData("rtt.max<1us", ThresholdOutcome.Missed)]
    [InlineData("rtt.p99.9<=1us", ThresholdOutcome.Missed)]
    [InlineData("rtt.max>1us", ThresholdOutcome.Met)]
    [InlineData("rtt.max>1h", ThresholdOutcome.MissingSamples)]
    [InlineData("rtt.max==1h", ThresholdOutcome.MissingSamples)]
    [InlineData("rtt.min<2ms", ThresholdOutcome.Met)]
    public void Evaluate_WithMissingSamples_IsKnownOnlyWhereTheyCouldNotChangeIt(string text, ThresholdOutcome outcome)
    {
        var histogram = LatencyHistogram.ForLatency();
        for (var i = 1; i <= 99_560; i++)
            histogram.Record(i * 10);
        histogram.AddMissing(440);
        var threshold = Threshold.Parse(text);

        var result = threshold.Evaluate(ThresholdReading.Of(histogram, threshold.Statistic!));

        result.Outcome.ShouldBe(outcome);
        if (outcome == ThresholdOutcome.MissingSamples)
            result.ToString().ShouldBe($"? {Threshold.Parse(text).Demand}   not known, because 440 samples are missing");
    }

    /// <summary>One was waited for in vain, 3.1 s long: so long it took at least.</summary>
    [Theory]
    [InlineData(1_000, "rtt.max<1s", ThresholdOutcome.Missed)]
    [InlineData(1_000, "rtt.max>1s", ThresholdOutcome.Met)]
    [InlineData(1_000, "rtt.max<4s", ThresholdOutcome.MissingSamples)]
    [InlineData(1_000, "rtt.mean<1s", ThresholdOutcome.MissingSamples)]
    [InlineData(1_000, "rtt.p99.95<1s", ThresholdOutcome.NotEnoughSamples)]
    [InlineData(0, "rtt.max<1s", ThresholdOutcome.Missed)]
    [InlineData(0, "rtt.mean<1s", ThresholdOutcome.MissingSamples)]
    public void Evaluate_WithASampleWaitedForInVain_KnowsWhatTheMaximumIsAtLeast(
        int values, string text, ThresholdOutcome outcome)
    {
        var histogram = LatencyHistogram.ForLatency();
        histogram.Record(500_000, values);
        histogram.SetMissing(1, atLeast: 3_100_000_000);
        var threshold = Threshold.Parse(text);

        var result = threshold.Evaluate(ThresholdReading.Of(histogram, threshold.Statistic!));

        result.Outcome.ShouldBe(outcome);
        if (outcome == ThresholdOutcome.Missed)
            result.ToString().ShouldBe($"✗ {Threshold.Parse(text).Demand}   > 3.1 s");
    }

    [Theory]
    [InlineData("delay.p50<1ms", "✓ delay.p50 < 1 ms   100 µs..300 µs")]
    [InlineData("delay.p50<200us", "? delay.p50 < 200 µs   100 µs..300 µs, so it cannot be said")]
    public void Evaluate_OfValuesThatAreIntervals_SaysBothEnds(string text, string line)
    {
        var (lower, upper) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        lower.Record(100_000, 100);
        upper.Record(300_000, 100);
        var threshold = Threshold.Parse(text);

        threshold.Evaluate(ThresholdReading.Between(lower, upper, threshold.SeriesStatistic)).ToString().ShouldBe(line);
    }

    [Fact]
    public void Evaluate_OfIntervalsThatReachBelowZero_SaysThatTheClocksAreNotKnownSoWell()
    {
        var (lower, upper) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        lower.Record(-60_000_000, 100);
        upper.Record(60_000_000, 100);
        var threshold = Threshold.Parse("delay.p50>1ms");

        threshold.Evaluate(ThresholdReading.Between(lower, upper, threshold.SeriesStatistic)).ToString()
            .ShouldContain("values were negative: the clocks are not known so well");
    }

    [Fact]
    public void Evaluate_OnAMetricThatTheResultLacks_SaysSo()
    {
        var result = Threshold.Parse("rtt.p99.9<2ms").Evaluate(found: null);

        result.Outcome.ShouldBe(ThresholdOutcome.UnknownMetric);
        result.ToString().ShouldBe("? rtt.p99.9 < 2 ms   the result has no rtt");
    }
}
