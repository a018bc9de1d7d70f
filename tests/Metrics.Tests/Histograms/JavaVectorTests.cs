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
}
