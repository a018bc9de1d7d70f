using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Reports.Tests.Verdicts;

/// <summary>
/// Delays between two clocks that are not known well enough: what is left of them after the negative ones is not all.
/// </summary>
public class NegativeValueTests
{
    private const long Millisecond = 1_000_000;

    [Fact]
    public void Statistics_OfAHistogramWithNegativeValues_AreNotThoseOfTheRest()
    {
        var table = PercentileTable.Of(Delays(negative: 1_811, positive: 189));

        (table.Min, table.Mean, table.StandardDeviation).ShouldBe((null, null, null));
        table.Max.ShouldNotBeNull();
        table.Rows.At(50)!.Unknown.ShouldBe(UnknownPercentile.Negative);
        table.Rows.At(99)!.Value.ShouldNotBeNull().ShouldBeInRange(80 * Millisecond, 81 * Millisecond);
    }

    [Theory]
    [InlineData("delay.p50<1ms", false)]
    [InlineData("delay.p50>50ms", false)]
    [InlineData("delay.mean>50ms", false)]
    [InlineData("delay.min>1ms", false)]
    [InlineData("delay.p99<100ms", true)]
    [InlineData("delay.max<100ms", true)]
    public void Threshold_OnWhatIsNegative_IsNotKnown(string text, bool isKnown)
    {
        var set = new MetricSet();
        set.Add(
            new Metric("delay", MetricKind.Durations, "From sending."), Delays(negative: 1_811, positive: 189));

        var result = Threshold.Parse(text).Evaluate(set);

        result.Outcome.ShouldBe(isKnown ? ThresholdOutcome.Met : ThresholdOutcome.NotEnoughSamples, result.ToString());
        if (!isKnown)
            result.ToString().ShouldContain("values were negative");
    }

    private static LatencyHistogram Delays(int negative, int positive)
    {
        var delays = LatencyHistogram.ForLatency();
        delays.Record(-10 * Millisecond, negative);
        delays.Record(80 * Millisecond, positive);
        return delays;
    }
}
