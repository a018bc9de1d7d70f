using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>The cases of HdrHistogram's own HistogramTest, and what this one does differently.</summary>
public class LatencyHistogramTests
{
    private const long OneHour = 3_600_000_000;
    private const long TestValue = 4;

    [Theory]
    [InlineData(0, 1_000, 3)]
    [InlineData(-1, 1_000, 3)]
    [InlineData(1, 1, 3)]
    [InlineData(80, 150, 3)]
    [InlineData(1, OneHour, 6)]
    [InlineData(1, OneHour, 0)]
    [InlineData(1, OneHour, -1)]
    [InlineData(1L << 58, 1L << 62, 3)]
    [InlineData(long.MaxValue, long.MaxValue, 3)]
    public void ConstructionArgumentRanges(long lowest, long highest, int digits) =>
        Should.Throw<ArgumentOutOfRangeException>(() => new LatencyHistogram(lowest, highest, digits));

    [Fact]
    public void ConstructionArgumentGets()
    {
        var histogram = new LatencyHistogram(1_000, OneHour, 3);

        histogram.LowestDiscernible.ShouldBe(1_000);
        histogram.HighestTrackable.ShouldBe(OneHour);
        histogram.SignificantDigits.ShouldBe(3);
        histogram.HighestRecordable.ShouldBeGreaterThanOrEqualTo(OneHour);
    }

    [Fact]
    public void ForLatency_CoversAnHourOfNanoseconds()
    {
        var histogram = LatencyHistogram.ForLatency();
        histogram.Record(TimeSpan.FromHours(1).Ticks * 100);

        histogram.AboveRange.ShouldBe(0);
        histogram.Max.ShouldBe(3_601_330_077_695);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void RecordValue_UpTo2To62_KeepsItsDigits(int digits)
    {
        var histogram = new LatencyHistogram(1, 1L << 62, digits);
        for (var value = 1L; value > 0; value = (value * 3) + 1)
        {
            if (value > histogram.HighestRecordable)
                break;
            histogram.Record(value);
            histogram.CountAt(value).ShouldBe(1);
            histogram.LowestEquivalent(value).ShouldBeLessThanOrEqualTo(value);
            histogram.HighestEquivalent(value).ShouldBeGreaterThanOrEqualTo(value);
            var width = (double)(histogram.HighestEquivalent(value) - histogram.LowestEquivalent(value));
            (width / value).ShouldBeLessThanOrEqualTo(Math.Pow(10, -digits));
        }

        histogram.Record(1L << 62);
        histogram.AboveRange.ShouldBe(0);
    }

    [Fact]
    public void RecordValue_Overflow_IsCountedApart()
    {
        var histogram = new LatencyHistogram(1, OneHour, 3);
        histogram.Record(histogram.HighestRecordable);
        histogram.Record(histogram.HighestRecordable + 1);
        histogram.Record(long.MaxValue, 2);
        histogram.Record(-1);
        histogram.Record(long.MinValue, 4);

        histogram.TotalCount.ShouldBe(1);
        histogram.AboveRange.ShouldBe(3);
        histogram.BelowRange.ShouldBe(5);
        histogram.Max.ShouldBe(histogram.HighestRecordable);
        histogram.Min.ShouldBe(histogram.LowestEquivalent(histogram.HighestRecordable));
    }

    [Fact]
    public void RecordValueWithCount_NegativeOrOverflowing_Throws()
    {
        var histogram = LatencyHistogram.ForLatency();
        histogram.Record(1, long.MaxValue);

        Should.Throw<ArgumentOutOfRangeException>(() => histogram.Record(1, -1));
        Should.Throw<OverflowException>(() => histogram.Record(2, 1));
        histogram.TotalCount.ShouldBe(long.MaxValue);
        histogram.CountAt(2).ShouldBe(0);
    }

    [Fact]
    public void Reset()
    {
        var histogram = new LatencyHistogram(1, OneHour, 3);
        histogram.Record(TestValue);
        histogram.Record(-1);
        histogram.Record(long.MaxValue);
        histogram.Reset();

        histogram.ShouldBe(new LatencyHistogram(1, OneHour, 3));
    }

    [Fact]
    public void Add_OfALargerRange_CountsWhatDoesNotFitApart()
    {
        var small = new LatencyHistogram(1, 1_000_000, 3);
        var large = new LatencyHistogram(1, OneHour, 3);
        large.Record(TestValue, 3);
        large.Record(OneHour, 2);
        large.Record(-1);
        small.Add(large);

        small.CountAt(TestValue).ShouldBe(3);
        small.TotalCount.ShouldBe(3);
        small.AboveRange.ShouldBe(2);
        small.BelowRange.ShouldBe(1);
    }

    [Fact]
    public void Add_ThatWouldOverflow_AddsNothing()
    {
        var full = new LatencyHistogram(1, OneHour, 3);
        full.Record(1, long.MaxValue);
        var copy = full.Copy();
        var one = new LatencyHistogram(1, OneHour, 3);
        one.Record(2);

        Should.Throw<OverflowException>(() => full.Add(one));
        full.ShouldBe(copy);
    }

    [Fact]
    public void SubtractAfterAdd()
    {
        var histogram = new LatencyHistogram(1, OneHour, 3);
        var other = new LatencyHistogram(1, OneHour, 3);
        histogram.Record(TestValue);
        other.Record(TestValue * 1_000, 5);
        other.Record(-1);
        var before = histogram.Copy();
        histogram.Add(other);
        histogram.Subtract(other);

        histogram.ShouldBe(before);
    }

    [Fact]
    public void SubtractToZeroCounts()
    {
        var histogram = new LatencyHistogram(1, OneHour, 3);
        histogram.Record(TestValue);
        histogram.Record(TestValue * 1_000);
        histogram.Subtract(histogram);

        histogram.ShouldBe(new LatencyHistogram(1, OneHour, 3));
    }

    [Fact]
    public void SubtractToNegativeCounts_ThrowsAndTakesNothing()
    {
        var histogram = new LatencyHistogram(1, OneHour, 3);
        histogram.Record(TestValue, 2);
        histogram.Record(TestValue * 1_000);
        var other = new LatencyHistogram(1, OneHour, 3);
        other.Record(TestValue);
        other.Record(TestValue * 1_000, 2);
        var before = histogram.Copy();

        Should.Throw<ArgumentException>(() => histogram.Subtract(other));
        Should.Throw<ArgumentException>(() => histogram.Subtract(LatencyHistogram.ForLatency()));
        histogram.ShouldBe(before);
    }

    [Theory]
    [InlineData(1, 10_007, 10_000, 10_007)]
    [InlineData(1, 10_008, 10_008, 10_015)]
    [InlineData(1_024, 10_007 << 10, 10_000 << 10, (10_008 << 10) - 1)]
    [InlineData(1, 0, 0, 0)]
    [InlineData(1, 2_047, 2_047, 2_047)]
    [InlineData(1, 2_048, 2_048, 2_049)]
    public void LowestAndHighestEquivalentValue(long unit, long value, long lowest, long highest)
    {
        var histogram = new LatencyHistogram(unit, OneHour * 1_024, 3);

        histogram.LowestEquivalent(value).ShouldBe(lowest);
        histogram.HighestEquivalent(value).ShouldBe(highest);
    }

    [Fact]
    public void Copy_IsEqualAndItsOwn()
    {
        var histogram = new LatencyHistogram(1_000, OneHour, 3);
        histogram.Record(TestValue * 1_000, 7);
        histogram.Record(-1);
        histogram.Record(long.MaxValue);
        var copy = histogram.Copy();
        copy.ShouldBe(histogram);
        copy.GetHashCode().ShouldBe(histogram.GetHashCode());

        copy.Record(1);
        copy.ShouldNotBe(histogram);
    }

    [Fact]
    public void Record_AllocatesNothing()
    {
        var histogram = LatencyHistogram.ForLatency();
        histogram.Record(-1);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0L; i < 10_000; i++)
            histogram.Record((i * 1_000_003) - 1_000);
        foreach (var recorded in histogram.RecordedValues)
            histogram.CountAt(recorded.Lowest);
        foreach (var step in histogram.Percentiles(5))
            histogram.CountBetween(0, step.Value);
        histogram.ValueAtPercentile(histogram.Mean);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Fact]
    public void MoveTo_OfIntervalsAnywhereInTheRange_KeepsWhatRecordingKeeps()
    {
        var random = new Random(7);
        var interval = LatencyHistogram.ForLatency();
        var (second, total, expected) = (
            LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        for (var taken = 0; taken < 300; taken++)
        {
            // From a nanosecond to an hour: above, within, and far below what the interval before had.
            var scale = Math.Pow(10, random.NextDouble() * 12.5);
            for (var sample = random.Next(20); sample > 0; sample--)
            {
                var value = (long)(scale * random.NextDouble());
                interval.Record(value);
                expected.Record(value);
            }

            interval.MoveTo(second);
            interval.TotalCount.ShouldBe(0);
            interval.Max.ShouldBe(0);
            second.Record(1 + (taken * taken));
            expected.Record(1 + (taken * taken));
            total.Add(second);
            second.Reset();
        }

        total.ShouldBe(expected);
        second.ShouldBe(LatencyHistogram.ForLatency());
    }
}
