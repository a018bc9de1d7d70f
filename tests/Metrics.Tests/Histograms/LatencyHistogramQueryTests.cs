using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>
/// The cases of HdrHistogram's own HistogramDataAccessTest: 10,000 values of 1 ms and one of 100 s, in microseconds,
/// at an expected interval of 10 ms.
/// </summary>
public class LatencyHistogramQueryTests
{
    private const long OneHour = 3_600_000_000;

    private readonly LatencyHistogram _raw = new(1, OneHour, 3);
    private readonly LatencyHistogram _corrected = new(1, OneHour, 3);

    public LatencyHistogramQueryTests()
    {
        _raw.Record(1_000, 10_000);
        _raw.Record(100_000_000);
        _corrected.Record(1_000, 10_000);
        // What a client that waited for the longest one has left out.
        for (var missed = 100_000_000; missed > 0; missed -= 10_000)
            _corrected.Record(missed);
    }

    [Fact]
    public void GetTotalCount()
    {
        _raw.TotalCount.ShouldBe(10_001);
        _corrected.TotalCount.ShouldBe(20_000);
    }

    [Fact]
    public void GetMinAndMaxValue()
    {
        _raw.Min.ShouldBe(1_000);
        _raw.Max.ShouldBe(_raw.HighestEquivalent(100_000_000));
    }

    [Fact]
    public void GetMean()
    {
        _raw.Mean.ShouldBe(((10_000.0 * 1_000) + 100_000_000) / 10_001, 10_998 * 0.001);
        _corrected.Mean.ShouldBe((1_000.0 + 50_000_000.0) / 2, 25_000_500 * 0.001);
    }

    [Fact]
    public void GetStandardDeviation()
    {
        _raw.StandardDeviation.ShouldBe(999_898.4, 999.9);
        _corrected.StandardDeviation.ShouldBe(32_276_000, 32_276_000 * 0.01);
    }

    [Theory]
    [InlineData(30, 1_000, 1_000)]
    [InlineData(50, 1_000, 1_000)]
    [InlineData(75, 1_000, 50_000_000)]
    [InlineData(90, 1_000, 80_000_000)]
    [InlineData(99, 1_000, 98_000_000)]
    [InlineData(99.999, 100_000_000, 100_000_000)]
    [InlineData(100, 100_000_000, 100_000_000)]
    public void GetValueAtPercentile(double percentile, double raw, double corrected)
    {
        ((double)_raw.ValueAtPercentile(percentile)).ShouldBe(raw, raw * 0.001);
        ((double)_corrected.ValueAtPercentile(percentile)).ShouldBe(corrected, corrected * 0.001);
    }

    [Theory]
    [InlineData(-1, 1_000)]
    [InlineData(double.NaN, 1_000)]
    [InlineData(1_000, 100_007_935)]
    public void GetValueAtPercentile_OutsideZeroToAHundred_TakesTheNearerEnd(double percentile, long value) =>
        _raw.ValueAtPercentile(percentile).ShouldBe(value);

    [Fact]
    public void GetCountBetweenValues()
    {
        _raw.CountBetween(1_000, 1_000).ShouldBe(10_000);
        _raw.CountBetween(5_000, 150_000_000).ShouldBe(1);
        _corrected.CountBetween(5_000, 150_000_000).ShouldBe(10_000);
        _raw.CountBetween(long.MinValue, long.MaxValue).ShouldBe(10_001);
        _raw.CountBetween(2, 1).ShouldBe(0);
        _raw.CountBetween(-2, -1).ShouldBe(0);
    }

    [Fact]
    public void GetCountAtValue()
    {
        _raw.CountAt(1_000).ShouldBe(10_000);
        _raw.CountAt(10_000).ShouldBe(0);
        _corrected.CountAt(10_000).ShouldBe(1);
    }

    [Fact]
    public void Percentiles_AreWhatTheHistogramHasThere()
    {
        var last = 0.0;
        foreach (var step in _corrected.Percentiles(5))
        {
            step.Value.ShouldBe(_corrected.ValueAtPercentile(step.Percentile == 0 ? double.Epsilon : step.Percentile));
            step.CumulativeCount.ShouldBe(_corrected.CountBetween(0, step.Value));
            step.Percentile.ShouldBeGreaterThanOrEqualTo(last);
            last = step.Percentile;
        }

        last.ShouldBe(100);
    }

    [Fact]
    public void Percentiles_WithoutATick_AreRefused() =>
        Should.Throw<ArgumentOutOfRangeException>(() =>
        {
            foreach (var step in _raw.Percentiles(0))
                step.Value.ShouldBe(0);
        });

    [Fact]
    public void RecordedValues()
    {
        var recorded = new List<RecordedValue>();
        foreach (var value in _raw.RecordedValues)
            recorded.Add(value);

        recorded.Select(value => value.Count).ShouldBe([10_000, 1]);
        recorded.Select(value => value.CumulativeCount).ShouldBe([10_000, 10_001]);
        recorded.Select(value => value.Lowest).ShouldBe([1_000, 99_942_400]);
        recorded.Select(value => value.Highest).ShouldBe([1_000, 100_007_935]);
    }
}
