using RedisLatency.Producer.OneWay;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer.Tests.OneWay;

public class OneWayMetricsTests
{
    private const long ErrorNs = 2_000_000;

    [Theory]
    [InlineData("forward.p50<42.1ms", ThresholdOutcome.Met)]
    [InlineData("forward.p50<41.9ms", ThresholdOutcome.WithinError)]
    [InlineData("forward.p50<38.1ms", ThresholdOutcome.WithinError)]
    [InlineData("forward.p50<37.9ms", ThresholdOutcome.Missed)]
    [InlineData("forward.p50>37.9ms", ThresholdOutcome.Met)]
    [InlineData("forward.p50>39ms", ThresholdOutcome.WithinError)]
    [InlineData("back.p50<40.1ms", ThresholdOutcome.Met)]
    [InlineData("forward-intended.p99.99<1h", ThresholdOutcome.NotEnoughSamples)]
    [InlineData("forward.count==2000", ThresholdOutcome.Met)]
    [InlineData("forward.p50==40ms", ThresholdOutcome.WithinError)]
    [InlineData("clock-error.max<3ms", ThresholdOutcome.Met)]
    [InlineData("clock-error.max<1ms", ThresholdOutcome.Missed)]
    [InlineData("clock-error.p50<=1ms", ThresholdOutcome.Met)]
    [InlineData("negatives==0", ThresholdOutcome.Met)]
    [InlineData("below-floor==0", ThresholdOutcome.Met)]
    public void Threshold_HoldsOnlyWhereTheBoundLetsIt(string text, ThresholdOutcome outcome) =>
        Evaluate(text, PairGrading.Grade(SamplePair.With(ErrorNs))).Outcome.ShouldBe(outcome);

    [Fact]
    public void Threshold_OnAnInvalidPair_CannotBeDecided()
    {
        var pair = SamplePair.With(ErrorNs);
        var invalid = PairGrading.Grade(pair with { Probes = pair.Probes with { Contradicting = 1 } });

        Evaluate("forward.p50<1h", invalid).Outcome.ShouldBe(ThresholdOutcome.WithinError);
        Evaluate("forward.p50==1h", invalid).Outcome.ShouldBe(ThresholdOutcome.WithinError);
        foreach (var text in (string[])["negatives==0", "below-floor==0", "clock-error.max<1s", "negatives>=0"])
            Evaluate(text, invalid).Outcome.ShouldBe(ThresholdOutcome.WithinError, text);
        Evaluate("clock-error.max<1s", pair with { Offset = null }).Outcome.ShouldBe(ThresholdOutcome.WithinError);
        Evaluate("forward.count==2000", invalid).Outcome.ShouldBe(ThresholdOutcome.Met);
        Evaluate("forward.p50<1h", invalid).ToString()
            .ShouldBe("? forward.p50 < 1 h   the clocks' offset is not known well enough to say");
    }

    [Fact]
    public void Threshold_OnAPercentileThatOnlyTheConsumerHas_SaysSo()
    {
        var pair = PairGrading.Grade(SamplePair.With(ErrorNs));
        var alone = pair with { Series = [pair.Series[0] with { Name = "forward", Percentiles = [] }] };

        Evaluate("forward.p50<1h", alone).ToString().ShouldEndWith("only the Consumer knows it: ask it there");
        Evaluate("forward.count>=1", alone).Outcome.ShouldBe(ThresholdOutcome.Met);
    }

    [Fact]
    public void Threshold_WithoutAnyPair_CannotBeDecided() =>
        Evaluate("forward.p50<1h").Outcome.ShouldBe(ThresholdOutcome.NotEnoughSamples);

    [Fact]
    public void Threshold_OfSeveralConsumers_IsHeldAgainstTheWorst()
    {
        var near = PairGrading.Grade(SamplePair.With(1_000));
        var far = near with { Series = [SamplePair.SeriesOf("forward", 90_000_000, 1_000)] };

        Evaluate("forward.p50<50ms", near, far).Outcome.ShouldBe(ThresholdOutcome.Missed);
        Evaluate("forward.p50>50ms", near, far).Outcome.ShouldBe(ThresholdOutcome.Missed);
    }

    [Theory]
    [InlineData("clock-error.p99<1ms", "clock-error has p50 and max only")]
    [InlineData("forward.p75<1ms", "forward has p50, p90, p99, p99.9, p99.99, p99.999 only")]
    [InlineData("negatives<1%", "negatives is no share of what was asked for: its limit has no %")]
    [InlineData("back.p99<1ms", null)]
    public void Problem_IsToldBeforeTheRun(string text, string? problem) =>
        ProducerMetrics.Problem(Threshold.Parse(text)).ShouldBe(problem);

    private static ThresholdResult Evaluate(string text, params OneWayPair[] pairs)
    {
        var threshold = Threshold.Parse(text);
        return threshold.Evaluate(OneWayMetrics.Read(threshold, pairs));
    }
}
