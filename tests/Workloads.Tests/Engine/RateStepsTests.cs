using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

public class RateStepsTests
{
    private static readonly IReadOnlyList<RateStep> Steps =
    [
        new(1_000, 1_000, TimeSpan.FromSeconds(10)),
        new(1_000, 3_000, TimeSpan.FromSeconds(10)),
        new(500, 500, TimeSpan.Zero),
    ];

    [Theory]
    [InlineData(-1, 1_000)]
    [InlineData(0, 1_000)]
    [InlineData(9, 1_000)]
    [InlineData(15, 2_000)]
    [InlineData(60, 500)]
    public void At_ATime_IsTheRateThere(double second, double rate) =>
        RateSteps.At(Steps, TimeSpan.FromSeconds(second)).ShouldBe(rate);

    [Theory]
    [InlineData(-1, 1_000)]
    [InlineData(0, 1_000)]
    [InlineData(10, 1_000)]
    [InlineData(20, 1_500)]
    [InlineData(22, 31_000 / 22.0)]
    public void Average_OfTheMeasuredTime_IsTheAreaUnderTheRate(double second, double rate) =>
        RateSteps.Average(Steps, TimeSpan.FromSeconds(second)).ShouldBe(rate, 1e-6);

    [Fact]
    public void Average_OfOneRate_IsThatRateToTheLastBit() =>
        RateSteps.Average([new(0.1, 0.1, TimeSpan.FromSeconds(3))], TimeSpan.FromSeconds(7)).ShouldBe(0.1);
}
