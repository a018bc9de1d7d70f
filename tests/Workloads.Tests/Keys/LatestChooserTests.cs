using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class LatestChooserTests
{
    private static readonly double[] Uniform = [0, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999999];

    // site.ycsb.generator.SkewedLatestGenerator of YCSB 0.18 for 1,000 records, worked out from its formulas apart from
    // the product; then for 2,000, its zeta carried on and its η still that of the first 999 items.
    [Fact]
    public void KeyAt_IsWhatYcsbDraws_AlsoWhenKeysWereAdded()
    {
        var chooser = new LatestChooser(new KeySpace(0, 1000), 0.99);

        Uniform.Select(chooser.KeyAt).ShouldBe([999, 999, 998, 997, 995, 977, 896, 528, 73, 1]);
        chooser.Grow(1999);
        Uniform.Select(chooser.KeyAt).ShouldBe([1999, 1999, 1998, 1995, 1989, 1952, 1783, 1041, 142, 1]);
    }

    [Fact]
    public void KeyAt_OfKeysThatBeginLater_LiesAsFarFromTheLast()
    {
        var chooser = new LatestChooser(new KeySpace(5000, 1000), 0.99);

        chooser.KeyAt(0.5).ShouldBe(5977);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Next_BegunWithHardlyAKey_StaysAmongTheKeys(int count)
    {
        var chooser = new LatestChooser(new KeySpace(0, count), 0.99);
        var random = new RandomSource(1);
        for (var last = count - 1; last < 300; last++)
        {
            chooser.Grow(last);
            for (var draw = 0; draw < 100; draw++)
                chooser.Next(random).ShouldBeInRange(0, last);
        }
    }
}
