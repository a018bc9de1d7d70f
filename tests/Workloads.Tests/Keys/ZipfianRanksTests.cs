using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class ZipfianRanksTests
{
    [Theory]
    [InlineData(2, 0.99)]
    [InlineData(31, 0.99)]
    [InlineData(33, 1)]
    [InlineData(1000, 0.01)]
    [InlineData(1000, 0.5)]
    [InlineData(1000, 0.99)]
    [InlineData(1000, 1)]
    [InlineData(1000, 1.2)]
    [InlineData(1000, 3)]
    [InlineData(20_000, 0.99)]
    public void Next_FollowsTheExactProbabilities(int count, double theta) =>
        ChiSquare.ShouldFollow(
            CountRanks(new ZipfianRanks(count, theta), count, 500_000), rank => Exact(rank, count, theta));

    [Fact]
    public void Next_OfASlightlyDifferentSkew_FailsTheSameTest() =>
        ChiSquare.Deviation(CountRanks(new ZipfianRanks(1000, 0.99), 1000, 500_000), rank => Exact(rank, 1000, 0.97))
            .ShouldBeGreaterThan(10);

    [Fact]
    public void Next_OfYcsbsApproximation_WouldFailTheSameTest()
    {
        var gray = new GrayZipfian(1000, 0.99, Zeta.Sum(1000, 0.99));
        var random = new RandomSource(9);
        var counts = new long[1000];
        for (var draw = 0; draw < 500_000; draw++)
            counts[gray.ItemAt(random.NextDouble())]++;

        ChiSquare.Deviation(counts, rank => Exact(rank, 1000, 0.99)).ShouldBeGreaterThan(10);
    }

    [Theory]
    [InlineData(7_680_000_000, 0.99)]
    [InlineData((1L << 31) + 1, 1.2)]
    [InlineData((1L << 53) + 1, 0.5)]
    [InlineData(KeySpace.HighestIndex + 1, 0.99)]
    [InlineData(KeySpace.HighestIndex + 1, 0.05)]
    public void Next_OfHugeCounts_FollowsTheExactProbabilitiesOfDecades(long count, double theta)
    {
        var ranks = new ZipfianRanks(count, theta);
        var random = new RandomSource(11);
        var counts = new long[62];
        for (var draw = 0; draw < 300_000; draw++)
        {
            var rank = ranks.Next(random);
            rank.ShouldBeInRange(0, count - 1);
            counts[BitOf(rank + 1)]++;
        }

        var total = Zeta.Sum(count, theta);
        ChiSquare.ShouldFollow(counts, bit => 1L << bit > count
            ? 0
            : Zeta.Range(1L << bit, Math.Min(count, (2L << bit) - 1), theta) / total);
    }

    [Theory]
    [InlineData(0.5)]
    [InlineData(0.99)]
    [InlineData(1.2)]
    public void Next_InsideTheBuckets_FallsOffAsItShould(double theta)
    {
        // The buckets are drawn exactly whatever happens in them, and no bin above is as fine as their slope.
        const int Parts = 8;
        const int Count = 1_000_000;
        var ranks = new ZipfianRanks(Count, theta);
        var random = new RandomSource(13);
        var partOf = new byte[Count];
        var exact = new double[Parts + 1];
        for (long first = 1, width; first <= Count; first += width)
        {
            width = Math.Max(1, first / 16);
            for (var rank = first; rank < first + width && rank <= Count; rank++)
            {
                var part = width < Parts ? Parts : (int)((rank - first) * Parts / width);
                partOf[rank - 1] = (byte)part;
                exact[part] += Exact((int)rank - 1, 1, theta);
            }
        }

        var counts = new long[Parts + 1];
        for (var draw = 0; draw < 1_000_000; draw++)
            counts[partOf[ranks.Next(random)]]++;

        ChiSquare.ShouldFollow(counts, part => exact[part] / exact.Sum());
    }

    [Fact]
    public void Grow_ByOneAtATime_FollowsTheExactProbabilitiesOfTheLargerSet()
    {
        var ranks = new ZipfianRanks(1, 0.99);
        for (var count = 1; count <= 777; count++)
            ranks.Grow(count);
        ranks.Grow(10);

        ranks.Count.ShouldBe(777);
        ChiSquare.ShouldFollow(CountRanks(ranks, 777, 400_000), rank => Exact(rank, 777, 0.99));
    }

    [Fact]
    public void Grow_IsTheSameAsBeginningWithTheLargerSet()
    {
        var grown = new ZipfianRanks(3, 1.1);
        foreach (var count in (long[])[4, 100, 101, 5000, 1_000_000, 7_680_000_000])
            grown.Grow(count);
        var whole = new ZipfianRanks(7_680_000_000, 1.1);
        RandomSource one = new(5), two = new(5);

        for (var draw = 0; draw < 10_000; draw++)
            grown.Next(one).ShouldBe(whole.Next(two));
    }

    private static long[] CountRanks(ZipfianRanks ranks, int count, int draws)
    {
        var random = new RandomSource(20_261_121);
        var counts = new long[count];
        for (var draw = 0; draw < draws; draw++)
            counts[ranks.Next(random)]++;
        return counts;
    }

    private static double Exact(int rank, int count, double theta) =>
        Math.Pow(rank + 1, -theta) / Zeta.Sum(count, theta);

    private static int BitOf(long number) => (int)long.Log2(number);
}
