using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Metrics.Tests.Statistics;

public class SampleBlocksTests
{
    private static readonly TimeSpan Tick = TimeSpan.FromSeconds(1.0 / 16);

    [Theory]
    [InlineData(40, 40)]
    [InlineData(128, 128)]
    [InlineData(129, 65)]
    [InlineData(1_000, 125)]
    [InlineData(10_000, 79)]
    public void Blocks_BeyondWhatThereIsRoomFor_BecomeEquallyLongAndKeepAllSamples(int ticks, int blocks)
    {
        var sut = new SampleBlocks();
        var (moved, all) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        var (block, none) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        for (var tick = 0; tick < ticks; tick++)
        {
            long[] values = [-tick, 100 + (tick % 50), 10_000 + tick, long.MaxValue];
            foreach (var value in values)
            {
                block.Record(value);
                all.Record(value);
            }

            block.AddMissing(1);
            all.AddMissing(1);
            sut.Move(block, Tick, moved);
            block.ShouldBe(none);
        }

        moved.ShouldBe(all);
        (moved.Min, moved.Max).ShouldBe((all.Min, all.Max));
        sut.Count.ShouldBe(blocks);
        var place = moved.IndexAtRank(moved.TotalCount / 4);
        var (atOrBelow, counts) = sut.CountsAt(place, 1);
        counts.Sum().ShouldBe(moved.TotalCount + moved.BelowRange + moved.AboveRange);
        atOrBelow.Sum().ShouldBe(moved.BelowRange + moved.CountBetween(0, moved.Layout.HighestAt(place)));
        counts.SkipLast(1).Distinct().Count().ShouldBe(1);
    }

    [Theory]
    [InlineData(40)]
    [InlineData(1_000)]
    public void Blocks_OneByOne_HaveAllSamples_InTheirTime(int ticks)
    {
        var sut = new SampleBlocks();
        var (block, all) = (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        for (var tick = 0; tick < ticks; tick++)
        {
            foreach (var value in (long[])[-1, 100 + tick, 100 + tick, 10_000_000, long.MaxValue])
                block.Record(value);
            sut.Move(block, Tick, all);
        }

        var together = LatencyHistogram.ForLatency();
        for (var one = 0; one < sut.Count; one++)
            sut.AddTo(one, together);

        together.ShouldBe(all);
        (together.BelowRange, together.AboveRange).ShouldBe((ticks, ticks));
        Enumerable.Range(0, sut.Count).Sum(one => sut.DurationOf(one).Ticks).ShouldBe(ticks * Tick.Ticks);
        var first = LatencyHistogram.ForLatency();
        sut.AddTo(0, first);
        first.Min.ShouldBe(100);
        ((double)first.TotalCount).ShouldBe(3 * (sut.DurationOf(0) / Tick));
    }

    [Fact]
    public void Blocks_OfMoreValuesThanThereIsRoomFor_BecomeLonger()
    {
        var random = new Random(3);
        var sut = new SampleBlocks();
        for (var tick = 0; tick < 100; tick++)
        {
            var block = LatencyHistogram.ForLatency();
            for (var i = 0; i < 5_000; i++)
                block.Record((long)Math.Exp(random.NextDouble() * 28));
            sut.Move(block, Tick, LatencyHistogram.ForLatency());
        }

        sut.Count.ShouldBeInRange(2, 99);
        sut.CountsAt(int.MaxValue, 1).All.Sum().ShouldBe(500_000);
    }

    [Fact]
    public void Blocks_OfValuesOfBothSigns_KeepTheirOrder()
    {
        var sut = new SampleBlocks(isSigned: true);
        var total = SignedLatencyHistogram.ForLatency();
        var random = new Random(9);
        for (var tick = 0; tick < 64; tick++)
        {
            var block = SignedLatencyHistogram.ForLatency();
            for (var i = 0; i < 100; i++)
                block.Record(random.Next(-1_000, 500));
            sut.Add(block, Tick);
            total.Add(block);
        }

        var row = PercentileRow.Of(total, 50, sut);

        row.Value!.Value.ShouldBeInRange(-290, -210);
        row.Lower!.Value.ShouldBeInRange(-320, row.Value.Value - 5);
        row.Upper!.Value.ShouldBeInRange(row.Value.Value + 5, -180);
    }

    [Theory]
    [InlineData(39, UnknownInterval.TooFewBlocks)]
    [InlineData(40, null)]
    public void Row_OfTooFewBlocks_HasNoInterval(int blocks, UnknownInterval? why) =>
        Row(blocks, missing: 0, percentile: 50).UnknownInterval.ShouldBe(why);

    [Fact]
    public void Row_WhoseSamplesAreMissing_HasAWiderInterval()
    {
        var (whole, lacking) = (Row(64, missing: 0, percentile: 90), Row(64, missing: 60, percentile: 90));

        (lacking.Upper - lacking.Lower)!.Value.ShouldBeGreaterThan((whole.Upper - whole.Lower)!.Value);
        lacking.Upper!.Value.ShouldBeGreaterThan(whole.Upper!.Value);
    }

    [Fact]
    public void Row_OfSamplesThatAreMostlyMissingBeyond_HasNoInterval() =>
        Row(64, missing: 500, percentile: 90).UnknownInterval.ShouldBe(UnknownInterval.MissingSamples);

    [Fact]
    public void Row_OfASeriesThatRises_SaysSo() =>
        Row(64, missing: 0, percentile: 50, rise: 20).UnknownInterval.ShouldBe(UnknownInterval.NotStationary);

    private static PercentileRow Row(int blocks, int missing, double percentile, int rise = 0)
    {
        var random = new Random(1);
        var sut = new SampleBlocks();
        var total = LatencyHistogram.ForLatency();
        for (var block = 0; block < blocks; block++)
        {
            var histogram = LatencyHistogram.ForLatency();
            for (var i = 0; i < 100; i++)
                histogram.Record(random.Next(1_000, 2_000) + (block * rise));
            sut.Move(histogram, Tick, total);
        }

        total.AddMissing(missing);
        return PercentileRow.Of(total, percentile, sut);
    }
}
