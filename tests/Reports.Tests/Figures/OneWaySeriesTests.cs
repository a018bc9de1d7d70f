using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Tests.Figures;

public class OneWaySeriesTests
{
    [Fact]
    public void Of_ValuesOfBothSigns_KeepsTheirOrder()
    {
        var series = SeriesOf(-5, -3, -1, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32);

        series.Count.ShouldBe(20);
        series.Min.ShouldBe(-5);
        series.Max.ShouldBe(32);
        series.Mean.ShouldBe(13.15);
        series.Negatives.ShouldBe(3);
        Row(series, 50).Value.ShouldBe(12);
        Row(series, 90).ShouldBe(new PercentileRow(90, null, null, null) { Unknown = UnknownPercentile.TooFewSamples });
    }

    [Fact]
    public void Of_NegativeValuesOnly_HasNegativePercentiles()
    {
        var series = SeriesOf([.. Enumerable.Range(1, 100).Select(i => (long)-i)]);

        Row(series, 50).Value.ShouldBe(-51);
        Row(series, 90).Value.ShouldBe(-11);
        series.Min.ShouldBe(-100);
        series.Max.ShouldBe(-1);
        series.Mean.ShouldBe(-50.5);
    }

    [Fact]
    public void Of_NoValues_SaysNothing()
    {
        var series = SeriesOf();

        (series.Count, series.Min, series.Max, series.Mean).ShouldBe((0, null, null, null));
        series.Percentiles.ShouldAllBe(row => row.Value == null);
    }

    [Fact]
    public void Of_PositiveValues_AgreesWithAPercentileTable() => Prop.ForAll(
        ArbMap.Default.ArbFor<ushort[]>(),
        values =>
        {
            var histogram = SignedLatencyHistogram.ForLatency();
            foreach (var value in values)
                histogram.Record(value);
            var table = PercentileTable.Of(histogram.Values);
            var series = OneWaySeries.Of("forward", histogram, 7);
            series.Percentiles.ShouldBe(table.Rows);
            (series.Min, series.Max, series.Mean).ShouldBe((table.Min, table.Max, table.Mean));
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Of_NegatedValues_IsTheMirrorImage() => Prop.ForAll(
        ArbMap.Default.ArbFor<short[]>(),
        values =>
        {
            var plain = SeriesOf([.. values.Select(value => (long)value)]);
            var mirrored = SeriesOf([.. values.Select(value => -(long)value)]);
            (-mirrored.Min).ShouldBe(plain.Max);
            (-mirrored.Max).ShouldBe(plain.Min);
            (-(mirrored.Mean ?? 0)).ShouldBe(plain.Mean ?? 0, 1e-6);
        }).QuickCheckThrowOnFailure();

    private static OneWaySeries SeriesOf(params long[] values)
    {
        var histogram = SignedLatencyHistogram.ForLatency();
        foreach (var value in values)
            histogram.Record(value);
        return OneWaySeries.Of("forward", histogram, 7);
    }

    private static PercentileRow Row(OneWaySeries series, double percentile) =>
        series.Percentiles.Single(row => row.Percentile == percentile);
}
