using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.SavedRuns;

public sealed class GroupShiftTests
{
    private const double Error = 0.05;

    // By hand: 24 of the 25 differences are positive; of the 252 ways to deal out ten ranks, 1, 1 and 2 have 0, 1 and 2
    // that are not, 7 have at most 3, and 7 / 252 is more than 2.5 %: the interval is from the third difference to the
    // third from the end.
    [Fact]
    public void Shift_IsThatOfTheRankSumTest()
    {
        var shift = GroupShift.Of([1.0, 1.1, 1.2, 1.3, 1.4], [1.35, 1.5, 1.7, 1.9, 2.0], Error)!.Value;

        shift.Estimate.ShouldBe(0.5, 1e-9);
        shift.Probability.ShouldBe(2 * 2.0 / 252, 1e-9);
        (shift.Lower, shift.Upper).ShouldSatisfyAllConditions(
            () => shift.Lower.ShouldBe(0.1, 1e-9), () => shift.Upper.ShouldBe(0.9, 1e-9));
    }

    [Fact]
    public void ThreeRunsEach_CannotTell_AndFourCan()
    {
        GroupShift.Of([1, 2, 3], [4, 5, 6], Error).ShouldBeNull();
        GroupShift.Of([1, 2, 3, 4], [5, 6, 7, 8], Error)!.Value.Lower.ShouldBeGreaterThan(0);
        GroupShift.CountFor(Error).ShouldBe(4);
        GroupShift.CountFor(Error / 5).ShouldBe(5);
    }

    // Of 1,000 the share is within three standard deviations of 5 % or below it.
    [Theory]
    [InlineData(5)]
    [InlineData(10)]
    public void SameThing_IsCalledDifferentNoOftenerThanStated(int count)
    {
        var random = new Random(7);

        var alarms = Enumerable.Range(0, 1_000).Count(_ => IsDifferent(Values(1), Values(1)));

        alarms.ShouldBeLessThanOrEqualTo(50 + 21);
        alarms.ShouldBeGreaterThan(0);

        List<double> Values(double times) => Noisy(random, count, times);
    }

    [Fact]
    public void ThreePerCentOverTenRuns_AreFound()
    {
        var random = new Random(11);

        var found = Enumerable.Range(0, 100).Count(_ => IsDifferent(Noisy(random, 10, 1), Noisy(random, 10, 1.03)));

        found.ShouldBeGreaterThan(90);
    }

    private static bool IsDifferent(IReadOnlyList<double> before, IReadOnlyList<double> after) =>
        GroupShift.Of(before, after, Error) is { } shift && (shift.Lower > 0 || shift.Upper < 0);

    // A percentile that scatters by one per cent from run to run, and now and then by much more; its logarithm.
    private static List<double> Noisy(Random random, int count, double times) =>
    [
        .. Enumerable.Range(0, count).Select(_ => Math.Log(times) + (0.01 * (random.NextDouble() + random.NextDouble()
            + random.NextDouble() - 1.5)) + (random.Next(20) == 0 ? 0.05 : 0)),
    ];
}
