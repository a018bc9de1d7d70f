using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Producer.Measuring;
using RedisLatency.Producer.OneWay;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer.Tests.Measuring;

public class ProducerMetricsTests
{
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
    [InlineData("rate>=0.99", ThresholdOutcome.Missed)]
    [InlineData("rate>=0.98", ThresholdOutcome.Met)]
    public void Threshold_IsHeldAgainstWhatWasMeasured(string text, ThresholdOutcome outcome)
    {
        var series = new CollectedSeries("rtt", known => known.RoundTrip);
        for (var i = 1; i <= 1_000; i++)
            series.Total.Record(i * 1_000);
        var metrics = new ProducerMetrics(
            [series],
            LatencyHistogram.ForLatency(),
            new MessageCounts { Asked = 1_000, Sent = 1_000, Lost = 20, Unsent = 0 },
            new MessageRates { Asked = 1_000, Achieved = 985 },
            new OneWayMetrics([]));

        Threshold.Parse(text).Evaluate(metrics).Outcome.ShouldBe(outcome);
    }

    [Fact]
    public void CollectedSeries_OfTwoStreams_IsTheirSum()
    {
        RoundTripSeries[] streams = [new(), new()];
        var series = new CollectedSeries("rtt", known => known.RoundTrip);
        streams[0].RoundTrip.Record(1_000);
        streams[1].RoundTrip.Record(2_000);

        TakeBlock();
        series.EndInterval();
        streams[1].RoundTrip.Record(3_000);
        TakeBlock();
        streams[0].RoundTrip.Record(4_000);
        TakeBlock();
        series.EndInterval();

        series.Interval.TotalCount.ShouldBe(2);
        series.Total.TotalCount.ShouldBe(4);
        series.Blocks.Count.ShouldBe(3);
        series.Total.Min.ShouldBe(1_000);

        void TakeBlock()
        {
            series.EndBlock(streams);
            LatencyRecorder.Fence();
            series.TakeBlock(streams, TimeSpan.FromSeconds(0.5));
        }
    }
}
