using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Tests.Output;

public sealed class PercentileDistributionTests
{
    // What Java's outputPercentileDistribution (2.1.11) prints of it with 5 steps and a ratio of 1000.
    private const string Expected = """
               Value     Percentile TotalCount 1/(1-Percentile)

              45.151 0.000000000000          7           1.00
              45.151 0.100000000000          7           1.11
              45.151 0.200000000000          7           1.25
              45.151 0.300000000000          7           1.43
              45.151 0.400000000000          7           1.67
              45.151 0.500000000000          7           2.00
              45.151 0.550000000000          7           2.22
              45.151 0.600000000000          7           2.50
              45.151 0.650000000000          7           2.86
              45.151 0.700000000000          7           3.33
              90.047 0.750000000000          9           4.00
              90.047 0.775000000000          9           4.44
              90.047 0.800000000000          9           5.00
              90.047 0.825000000000          9           5.71
              90.047 0.850000000000          9           6.67
              90.047 0.875000000000          9           8.00
              90.047 0.887500000000          9           8.89
              90.047 0.900000000000          9          10.00
            1234.943 0.912500000000         10          11.43
            1234.943 1.000000000000         10
        #[Mean    =      173.042, StdDeviation   =      354.239]
        #[Max     =     1234.943, Total count    =           10]

        """;

    [Fact]
    public void Distribution_IsWhatTheJavaLibraryPrints()
    {
        var values = LatencyHistogram.ForLatency();
        values.Record(45_123, 7);
        values.Record(90_000, 2);
        values.Record(1_234_567);
        using var written = new StringWriter { NewLine = "\n" };

        PercentileDistribution.Write(values, written);

        written.ToString().ShouldBe(Expected.ReplaceLineEndings("\n"));
    }
}
