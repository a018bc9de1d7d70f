using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Metrics.Tests.Statistics;

public class PercentileTableTests
{
    [Theory]
    [InlineData(0, new double[0])]
    [InlineData(19, new double[0])]
    [InlineData(20, new double[] { 50 })]
    [InlineData(99, new double[] { 50 })]
    [InlineData(100, new double[] { 50, 90 })]
    [InlineData(999, new double[] { 50, 90 })]
    [InlineData(1_000, new double[] { 50, 90, 99 })]
    [InlineData(10_000, new double[] { 50, 90, 99, 99.9 })]
    [InlineData(99_999, new double[] { 50, 90, 99, 99.9 })]
    [InlineData(100_000, new double[] { 50, 90, 99, 99.9, 99.99 })]
    [InlineData(999_999, new double[] { 50, 90, 99, 99.9, 99.99 })]
    [InlineData(1_000_000, new double[] { 50, 90, 99, 99.9, 99.99, 99.999 })]
    public void Of_ShowsAPercentileOnlyWhereTenSamplesLieAboveIt(int count, double[] shown)
    {
        var table = PercentileTable.Of(Ramp(count));

        table.Rows.Select(row => row.Percentile).ShouldBe(PercentileTable.Percentiles);
        table.Rows.Where(row => row.IsKnown).Select(row => row.Percentile).ShouldBe(shown);
        table.Rows.ShouldAllBe(row => row.IsKnown == (row.UnknownInterval == UnknownInterval.NoBlocks));
        table.Rows.ShouldAllBe(row => row.Lower == null && row.Upper == null);
    }

    [Fact]
    public void Of_AHistogram_SaysWhatItSays()
    {
        var histogram = Ramp(1_000);
        histogram.Record(-1);
        histogram.Record(long.MaxValue, 2);

        var table = PercentileTable.Of(histogram);

        table.Count.ShouldBe(1_000);
        table.BelowRange.ShouldBe(1);
        table.AboveRange.ShouldBe(2);
        (table.Min, table.Max, table.Mean, table.StandardDeviation).ShouldBe((null, null, null, null));
    }

    [Fact]
    public void Of_AHistogramWithNothingMissing_KnowsItsMaximumAndMean()
    {
        var table = PercentileTable.Of(Ramp(1_000));

        table.Max.ShouldBe(1_000);
        table.Mean.ShouldBe(500.5);
        table.StandardDeviation.ShouldNotBeNull().ShouldBe(288.675, 0.001);
    }

    [Theory]
    [InlineData(4, new double[] { 50, 90, 99, 99.9 })]
    [InlineData(44, new double[] { 50, 90, 99 })]
    [InlineData(290, new double[] { 50, 90 })]
    [InlineData(6_500, new double[0])]
    public void Of_WhatIsMissing_CountsAsSlowerThanEverythingMeasured(int missing, double[] known)
    {
        var all = Ramp(10_000);
        var survivors = Ramp(10_000 - missing);
        survivors.AddMissing(missing);

        var table = PercentileTable.Of(survivors);

        (table.Max, table.Mean).ShouldBe((null, null));
        table.Rows.Where(row => row.IsKnown).Select(row => row.Percentile).ShouldBe(known);
        table.Rows.Where(row => row.IsKnown)
            .ShouldAllBe(row => row.Value == PercentileRow.Of(all, row.Percentile).Value);
        table.Rows[^1].Unknown.ShouldBe(UnknownPercentile.TooFewSamples);
        table.Rows.Where(row => !row.IsKnown && row.Percentile < 99.99)
            .ShouldAllBe(row => row.Unknown == UnknownPercentile.MissingSamples);
    }

    [Theory]
    [InlineData(10, 0, null)]
    [InlineData(10, 500, 1_000L)]
    [InlineData(10, 3_000, 3_000L)]
    [InlineData(0, 3_000, 3_000L)]
    [InlineData(0, 0, null)]
    public void Of_WhatIsMissing_KnowsWhatTheLargestIsAtLeast(int values, long waited, long? expected)
    {
        var survivors = Ramp(values * 100);
        survivors.SetMissing(1, waited);

        var table = PercentileTable.Of(survivors);

        (table.Max, table.MaxAtLeast).ShouldBe((null, expected));
        survivors.SetMissing(0, waited);
        PercentileTable.Of(survivors).MaxAtLeast.ShouldBeNull("none is missing");
    }

    [Fact]
    public void Missing_IsAddedSubtractedCopiedAndForgottenWithTheRest()
    {
        var histogram = Ramp(10);
        histogram.SetMissing(3, atLeast: 70);
        var longer = Ramp(10);
        longer.SetMissing(1, atLeast: 90);
        var sum = histogram.Copy();

        sum.Add(histogram);
        (sum.Missing, sum.MissingAtLeast, sum.Equals(histogram)).ShouldBe((6, 70, false));
        sum.Subtract(histogram);
        sum.ShouldBe(histogram);
        sum.Add(longer);
        (sum.Missing, sum.MissingAtLeast).ShouldBe((4, 90));
        sum.Reset();
        (sum.Missing, sum.MissingAtLeast).ShouldBe((0, 0));
    }

    [Fact]
    public void Of_NoValues_SaysNothing()
    {
        var table = PercentileTable.Of(LatencyHistogram.ForLatency());

        (table.Min, table.Mean, table.StandardDeviation, table.Max).ShouldBe((null, null, null, null));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(double.NaN)]
    public void Row_OfNoPercentile_IsRefused(double percentile) =>
        Should.Throw<ArgumentOutOfRangeException>(() => PercentileRow.Of(Ramp(1_000), percentile));

    private static LatencyHistogram Ramp(int count)
    {
        var histogram = LatencyHistogram.ForLatency();
        for (var i = 1; i <= count; i++)
            histogram.Record(i);
        return histogram;
    }
}
