using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

public class ZetaTests
{
    [Theory]
    [InlineData(2, 1.5034777750283594)]
    [InlineData(1000, 7.728953217284729)]
    [InlineData(1_000_000, 15.391849746037371)]
    [InlineData(YcsbScrambledChooser.InnerItems, YcsbScrambledChooser.InnerZeta)]
    public void Sum_AtYcsbsSkew_IsYcsbsConstant(long count, double expected) =>
        (Zeta.Sum(count, 0.99) / expected).ShouldBe(1, 1e-9);

    // Computed with 40 digits from Hurwitz's zeta function.
    [Theory]
    [InlineData(0.2, 10_000_000_000, 124999999.2710790751036)]
    [InlineData(0.5, 1_000_000, 1998.54014549114874652)]
    [InlineData(0.5, 10_000_000_000_000_000, 199999998.5396454961904)]
    [InlineData(0.99, 7_680_000_000, 26.13715347844611537546)]
    [InlineData(0.99, 10_000_000_001, 26.46902820187737160557)]
    [InlineData(0.99, 10_000_000_000_000_000, 45.12046409686456301684)]
    [InlineData(0.999999, 10_000_000_000_000_000, 37.41925573128267503496)]
    [InlineData(1.0, 1000, 7.485470860550344912657)]
    [InlineData(1.0, 10_000_000_000_000_000, 37.41857715280626385489)]
    [InlineData(1.000001, 10_000_000_000_000_000, 37.41789859099793001366)]
    [InlineData(1.2, 10_000_000_000_000_000, 5.588427654455349810321)]
    [InlineData(2.0, 10_000_000_000, 1.644934066748226436477)]
    [InlineData(5.0, 1_000_000, 1.036927755143369926331)]
    public void Sum_OfMoreTermsThanAnyoneAdds_IsAccurate(double theta, long count, double expected) =>
        (Zeta.Sum(count, theta) / expected).ShouldBe(1, 1e-13);

    [Fact]
    public void Sum_AgreesWithTheDirectSum_ForManySkews()
    {
        foreach (var theta in (double[])[0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1, 1.001, 1.2, 1.5, 2, 3, 7, 10])
        {
            foreach (var count in (int[])[1, 2, 15, 16, 17, 63, 64, 65, 66, 100, 1000, 100_000])
                (Zeta.Sum(count, theta) / DirectSum(1, count, theta)).ShouldBe(1, 1e-12, $"θ {theta}, n {count}");
        }
    }

    [Fact]
    public void Range_IsWhatASumGrowsBy()
    {
        foreach (var theta in (double[])[0.5, 0.99, 1, 1.2])
        {
            foreach (var (first, last) in (ReadOnlySpan<(int, int)>)[(1, 0), (5, 5), (60, 70), (64, 2000), (70, 5000)])
                Zeta.Range(first, last, theta).ShouldBe(DirectSum(first, last, theta), 1e-12 * Math.Max(1, last));
            (Zeta.Sum(1_000_000, theta) + Zeta.Range(1_000_001, 7_680_000_000, theta))
                .ShouldBe(Zeta.Sum(7_680_000_000, theta), 1e-12 * Zeta.Sum(7_680_000_000, theta));
        }
    }

    private static double DirectSum(int first, int last, double theta)
    {
        var sum = 0.0;
        for (var term = last; term >= first; term--)
            sum += Math.Pow(term, -theta);
        return sum;
    }
}
