using RedisLatency.Metrics.Encodings;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Tests.Histograms;

namespace RedisLatency.Metrics.Tests.Encodings;

public class PercentileDistributionWriterTests
{
    [Fact]
    public void Write_OfTheRamp_IsTheReferencesText()
    {
        var expected = SharedVectors.Section("ramp: outputPercentileDistribution").Split("```\n")[1];

        Written(JavaVectors.Named("ramp").Filled(), 1_000_000).ShouldBe(expected);
    }

    [Fact]
    public void Write_OfThreeValues_IsWhatJavaPrints() =>
        Written(Three(), 1).ShouldBe(
            """
                   Value     Percentile TotalCount 1/(1-Percentile)

                   1.000 0.000000000000          1           1.00
                   1.000 0.100000000000          1           1.11
                   1.000 0.200000000000          1           1.25
                   1.000 0.300000000000          1           1.43
                   2.000 0.400000000000          2           1.67
                   2.000 0.500000000000          2           2.00
                   2.000 0.550000000000          2           2.22
                   2.000 0.600000000000          2           2.50
                   2.000 0.650000000000          2           2.86
                   3.000 0.700000000000          3           3.33
                   3.000 1.000000000000          3
            #[Mean    =        2.000, StdDeviation   =        0.816]
            #[Max     =        3.000, Total count    =            3]
            #[Buckets =           32, SubBuckets     =         2048]

            """.ReplaceLineEndings("\n"));

    [Fact]
    public void Write_OfNoValues_HasNoSteps() =>
        Written(LatencyHistogram.ForLatency(), 1).Split('\n').Length.ShouldBe(6);

    [Fact]
    public void Write_OfCountsBeyondADouble_Ends()
    {
        var histogram = Three();
        histogram.Record(1, long.MaxValue - 3);

        Written(histogram, 1).Split('\n').Length.ShouldBeLessThan(1_000);
    }

    private static LatencyHistogram Three()
    {
        var histogram = LatencyHistogram.ForLatency();
        histogram.Record(1);
        histogram.Record(2);
        histogram.Record(3);
        return histogram;
    }

    private static string Written(LatencyHistogram histogram, double valueScale)
    {
        using var text = new StringWriter();
        PercentileDistributionWriter.Write(histogram, text, valueScale);
        return text.ToString();
    }
}
