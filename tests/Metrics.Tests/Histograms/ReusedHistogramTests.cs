using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public sealed class ReusedHistogramTests
{
    [Fact]
    public void Intervals_InOneHistogram_AreThoseOfManyHistograms()
    {
        var random = new Random(7);
        var stream = new MemoryStream();
        var log = new IntervalLogWriter(stream, DateTimeOffset.UnixEpoch, "test");
        for (var second = 0; second < 200; second++)
        {
            var (low, digits) = (random.Next(1, 1_000_000), second % 50 == 49 ? 2 : 3);
            var histogram = new LatencyHistogram(1, 3_600_000_000_000, digits);
            for (var count = random.Next(3) == 0 ? 0 : random.Next(1, 500); count > 0; count--)
                histogram.Record(random.NextInt64(low, 10L * low), random.Next(1, 1_000));
            log.Write("a", DateTimeOffset.UnixEpoch.AddSeconds(second), TimeSpan.FromSeconds(1), histogram);
        }

        stream.Position = 0;
        var own = new IntervalLogReader(stream).ReadAll().ToList();
        stream.Position = 0;
        var reader = new IntervalLogReader(stream) { ReusesHistogram = true };
        var (sumOfOwn, sum) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        foreach (var expected in own)
        {
            var interval = reader.Read()!;
            interval.Histogram.ShouldBe(expected.Histogram);
            interval.Histogram.Min.ShouldBe(expected.Histogram.Copy().Min);
            interval.Histogram.Max.ShouldBe(expected.Histogram.Copy().Max);
            sum.Add(interval.Histogram);
            sumOfOwn.Add(expected.Histogram);
        }

        reader.Read().ShouldBeNull();
        sum.ShouldBe(sumOfOwn);
    }
}
