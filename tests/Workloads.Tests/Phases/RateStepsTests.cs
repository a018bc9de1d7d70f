using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Rates;

namespace RedisLatency.Workloads.Tests.Phases;

public class RateStepsTests
{
    private static readonly IReadOnlyList<RateStep> Steps =
    [
        new(1_000, 1_000, TimeSpan.FromSeconds(10)),
        new(1_000, 3_000, TimeSpan.FromSeconds(10)),
        new(500, 500, TimeSpan.Zero),
    ];

    [Theory]
    [InlineData(0, 1_000)]
    [InlineData(9, 1_000)]
    [InlineData(15, 2_000)]
    [InlineData(60, 500)]
    public void At_ATime_IsTheRateThere(double second, double rate) =>
        RateSteps.At(Steps, TimeSpan.FromSeconds(second)).ShouldBe(rate);

    [Theory]
    [InlineData(0, 10, 10_000)]
    [InlineData(10, 20, 20_000)]
    [InlineData(0, 22, 31_000)]
    [InlineData(9, 15, 8_500)]
    public void Between_TwoTimes_IsTheAreaUnderTheRate(double from, double to, double due) =>
        RateSteps.Between(Steps, TimeSpan.FromSeconds(from), TimeSpan.FromSeconds(to)).ShouldBe(due, 1e-6);

    [Fact]
    public void Between_OfOneRate_IsItTimesTheTime() =>
        RateSteps.Between(RateStep.Constant(250), TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(5))
            .ShouldBe(1_000, 1e-6);
}
