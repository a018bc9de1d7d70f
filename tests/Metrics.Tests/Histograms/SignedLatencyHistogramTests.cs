using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class SignedLatencyHistogramTests
{
    [Fact]
    public void Record_OfANegativeValue_CountsItsMagnitude()
    {
        var histogram = SignedLatencyHistogram.ForLatency();
        foreach (var value in (long[])[0, 5, -5, -1_000, long.MinValue, long.MaxValue])
            histogram.Record(value);

        histogram.TotalCount.ShouldBe(4);
        histogram.Values.CountAt(5).ShouldBe(1);
        histogram.Negatives.CountAt(5).ShouldBe(1);
        histogram.Negatives.Max.ShouldBe(1_000);
        histogram.Values.AboveRange.ShouldBe(1);
        histogram.Negatives.AboveRange.ShouldBe(1);
        histogram.Values.BelowRange.ShouldBe(0);
    }

    [Fact]
    public void Add_OfTwo_EqualsOneThatSawEverything()
    {
        var first = SignedLatencyHistogram.ForLatency();
        var second = SignedLatencyHistogram.ForLatency();
        var both = SignedLatencyHistogram.ForLatency();
        foreach (var value in (long[])[-7, 7, -9, long.MinValue])
        {
            (value % 2 == 0 ? first : second).Record(value);
            both.Record(value);
        }

        first.Add(second);
        first.Values.ShouldBe(both.Values);
        first.Negatives.ShouldBe(both.Negatives);
        first.Reset();
        first.Values.ShouldBe(LatencyHistogram.ForLatency());
        first.Negatives.ShouldBe(LatencyHistogram.ForLatency());
    }
}
