using FsCheck;
using FsCheck.Fluent;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>Percentiles of values of both signs, against the sorted values themselves.</summary>
public class SignedPercentileTests
{
    [Fact]
    public void Percentiles_OfAnyExactValues_AreThoseOfTheSortedList() =>
        Prop.ForAll(
            Gen.ListOf(Gen.Choose(-2_000, 2_000)).Where(values => values.Count > 0).ToArbitrary(),
            Gen.Choose(0, 1_000).ToArbitrary(),
            (values, thousandths) =>
            {
                var histogram = Recorded(values.Select(value => (long)value));
                var sorted = values.Order().ToList();
                var rank = Math.Max(1, (int)Math.Ceiling(thousandths / 1_000m * sorted.Count));

                histogram.ValueAtPercentile(thousandths / 10.0).ShouldBe(sorted[rank - 1]);
                (histogram.Min, histogram.Max).ShouldBe((sorted[0], sorted[^1]));
                histogram.Mean.ShouldBe(values.Average(), 1e-6);
            }).Check(Config.QuickThrowOnFailure.WithQuietOnSuccess(true));

    [Fact]
    public void Table_OfValuesOfBothSigns_HasNegativePercentilesAndTheirInterval()
    {
        var histogram = Recorded(Enumerable.Range(-600, 1_000).Select(value => (long)value));
        histogram.Record(long.MinValue);
        histogram.Record(long.MaxValue);

        var table = PercentileTable.Of(histogram);

        (table.Count, table.BelowRange, table.AboveRange).ShouldBe((1_000, 1, 1));
        (table.Min, table.Max, table.Mean, table.StandardDeviation).ShouldBe((-600, null, null, null));
        table.Rows.Select(row => row.Value).ShouldBe([-101, 300, 390, null, null, null]);
        (table.Rows[0].Lower, table.Rows[0].Upper).ShouldBe((-133, -69));
    }

    [Fact]
    public void Table_OfPositiveValuesAlone_IsTheUnsignedOne()
    {
        var random = new Random(5);
        var histogram = Recorded(Enumerable.Range(0, 20_000).Select(_ => random.NextInt64(1_000_000_000)));
        var signed = PercentileTable.Of(histogram);
        var unsigned = PercentileTable.Of(histogram.Values);
        signed.Rows.ShouldBe(unsigned.Rows);
        (signed.Min, signed.Max).ShouldBe((unsigned.Min, unsigned.Max));
        signed.Mean.ShouldNotBeNull().ShouldBe(unsigned.Mean!.Value, 1e-6);
    }

    [Fact]
    public void Table_OfNothing_SaysNothing()
    {
        var table = PercentileTable.Of(SignedLatencyHistogram.ForLatency());
        (table.Count, table.Min, table.Mean, table.Max).ShouldBe((0, null, null, null));
        SignedLatencyHistogram.ForLatency().ValueAtPercentile(50).ShouldBe(0);
    }

    private static SignedLatencyHistogram Recorded(IEnumerable<long> values)
    {
        var histogram = SignedLatencyHistogram.ForLatency();
        foreach (var value in values)
            histogram.Record(value);
        return histogram;
    }
}
