using RedisLatency.Reports.Summaries;
using RedisLatency.Reports.Tests.Records;

namespace RedisLatency.Reports.Tests.Summaries;

public class CheckLineTests
{
    [Theory]
    [InlineData(0.02, true)]
    [InlineData(1.5, true)]
    [InlineData(0.005, false)]
    [InlineData(0, false)]
    public void Behind_WhoseClocksMayBeOff_CarriesTheBoundWhereItIsMaterial(double ofMedian, bool isShown)
    {
        var sample = SampleRunRecord.Create().Summaries[0];
        var series = sample.Latencies[0] with { Name = "delay" };
        var median = series.Percentiles.Single(row => row.Percentile == 50).Value!.Value;
        var delay = sample.Delay! with { ErrorNs = (long)(ofMedian * median) };
        var summary = sample with { Latencies = [series], Delay = delay };

        var line = CheckLine.Behind(summary, delay, 1_021);

        line.ShouldStartWith("10.2.0.5:6379 is ");
        line.Contains(" ±", StringComparison.Ordinal).ShouldBe(isShown, line);
        line.ShouldContain(" behind, ");
    }
}
