using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class PermutationTests
{
    [Fact]
    public void OfEverySmallSize_HitsEveryNumberExactlyOnce()
    {
        for (var size = 1; size <= 600; size++)
            ShouldBeAPermutation(size);
    }

    [Theory]
    [InlineData(65_535)]
    [InlineData(65_536)]
    [InlineData(65_537)]
    [InlineData(1_000_000)]
    public void OfALargerSize_HitsEveryNumberExactlyOnce(int size) => ShouldBeAPermutation(size);

    [Theory]
    [InlineData((1L << 31) - 1)]
    [InlineData((1L << 31) + 1)]
    [InlineData(7_680_000_000)]
    [InlineData((1L << 53) - 1)]
    [InlineData((1L << 53) + 1)]
    [InlineData(1L << 62)]
    [InlineData(long.MaxValue)]
    public void OfAHugeSize_StaysInside_NeverHitsTwice_AndScatters(long size)
    {
        var permutation = new Permutation(size);
        var images = new HashSet<long>();
        var counts = new long[50];
        for (var number = 0L; number < 100_000; number++)
        {
            var image = permutation[number];
            image.ShouldBeInRange(0, size - 1);
            images.Add(image).ShouldBeTrue();
            counts[(int)((UInt128)image * 50 / (UInt128)size)]++;
        }

        counts.ShouldAllBe(count => count > 1800 && count < 2200);
    }

    [Fact]
    public void OfTheFirstNumbers_LooksLikeAHash()
    {
        var permutation = new Permutation(1_000_000);
        var counts = new long[100];
        for (var number = 0; number < 20_000; number++)
            counts[permutation[number] / 10_000]++;

        // A permutation spreads a little more evenly than chance does.
        ChiSquare.Deviation(counts, _ => 0.01).ShouldBeLessThan(3.9);
    }

    [Fact]
    public void OfTheSameSize_IsTheSameEverywhere() =>
        Enumerable.Range(0, 5).Select(number => new Permutation(1000)[number])
            .ShouldBe(Enumerable.Range(0, 5).Select(number => new Permutation(1000)[number]));

    private static void ShouldBeAPermutation(int size)
    {
        var permutation = new Permutation(size);
        var hit = new bool[size];
        for (var number = 0; number < size; number++)
            hit[permutation[number]] = true;
        hit.ShouldAllBe(isHit => isHit, $"size {size}");
    }
}
