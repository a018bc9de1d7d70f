using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class JavaVectorTests
{
    public static TheoryData<string> Names => [.. JavaVectors.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Queries_OfTheSameValues_SayWhatJavaSays(string name)
    {
        var vector = JavaVectors.Named(name);
        var histogram = vector.Filled();

        histogram.TotalCount.ShouldBe(vector.Total);
        histogram.Min.ShouldBe(vector.Min);
        histogram.Max.ShouldBe(vector.Max);
        histogram.Mean.ShouldBe(vector.Mean);
        histogram.StandardDeviation.ShouldBe(vector.StandardDeviation);
        JavaVector.Percentiles.Select(histogram.ValueAtPercentile).ShouldBe(vector.Values);
    }

    [Fact]
    public void CopyCorrectedForCoordinatedOmission_OfRawValues_EqualsValuesRecordedWithTheInterval()
    {
        var raw = LatencyHistogram.ForLatency();
        for (var i = 0; i < 1_000; i++)
            raw.Record(i == 500 ? 1_000_000_000 : 1_000_000);

        var corrected = raw.CopyCorrectedForCoordinatedOmission(10_000_000);

        corrected.TotalCount.ShouldBe(JavaVectors.Named("expected-interval").Total);
        corrected.Max.ShouldBe(raw.Max);
        raw.TotalCount.ShouldBe(1_000);
    }
}
