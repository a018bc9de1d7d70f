using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class GrayZipfianTests
{
    [Theory]
    [InlineData(1000, 0.07480608670689805)]
    [InlineData(1_000_000, 0.1362913333941101)]
    public void Eta_AtYcsbsSkew_IsYcsbs(long items, double eta) =>
        (new GrayZipfian(items, 0.99, Zeta.Sum(items, 0.99)).Eta / eta).ShouldBe(1, 1e-9);

    [Fact]
    public void Eta_OfYcsbsInnerItems_IsYcsbs() =>
        (new GrayZipfian(YcsbScrambledChooser.InnerItems, 0.99, YcsbScrambledChooser.InnerZeta).Eta
            / 0.21220003380967406).ShouldBe(1, 1e-12);

    // What site.ycsb.generator.ZipfianGenerator of YCSB 0.18 returns with java.util.Random(42) in its random's place.
    [Theory]
    [InlineData(1000, new long[]
    {
        90, 4, 3, 79, 484, 7, 3, 16, 194, 545, 13, 151, 9, 1, 45, 2, 269, 1, 43, 152, 38, 41, 154, 0,
    })]
    [InlineData(1_000_000, new long[]
    {
        12114, 50, 31, 9415, 265616, 123, 30, 505, 49612, 331018, 338, 31179, 161, 6, 3388, 11, 90671, 6, 3066, 31789,
        2419, 2755, 32345, 0,
    })]
    public void ItemAt_DrawsWhatYcsbDraws(long items, long[] expected)
    {
        var zipfian = new GrayZipfian(items, 0.99, Zeta.Sum(items, 0.99));
        var random = new JavaRandom(42);
        random.NextDouble();

        expected.Select(_ => zipfian.ItemAt(random.NextDouble())).ShouldBe(expected);
    }
}
