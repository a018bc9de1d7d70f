using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Tests.Output;

public sealed class QuantityTests
{
    [Theory]
    [InlineData(0, DurationUnit.Microseconds, "0.000")]
    [InlineData(345, DurationUnit.Microseconds, "0.345")]
    [InlineData(45_312, DurationUnit.Microseconds, "45.31")]
    [InlineData(99_996, DurationUnit.Microseconds, "100.0")]
    [InlineData(999_960, DurationUnit.Microseconds, "1,000")]
    [InlineData(1_000_123_456, DurationUnit.Microseconds, "1,000,123")]
    [InlineData(72_400_000, DurationUnit.Milliseconds, "72.40")]
    [InlineData(-1_500_000, DurationUnit.Milliseconds, "-1.500")]
    [InlineData(double.NaN, DurationUnit.Seconds, "-")]
    public void Duration_HasFourSignificantDigits(double nanoseconds, DurationUnit unit, string text) =>
        Quantity.Duration(nanoseconds, unit).ShouldBe(text);

    [Theory]
    [InlineData(300, "0.300 µs")]
    [InlineData(45_312, "45.31 µs")]
    [InlineData(2_000_000, "2.000 ms")]
    [InlineData(61_000_000_000, "61.00 s")]
    [InlineData(double.PositiveInfinity, "-")]
    public void Duration_Alone_BringsTheUnitThatSuitsIt(double nanoseconds, string text) =>
        Quantity.Duration(nanoseconds).ShouldBe(text);

    [Fact]
    public void UnitFor_ATable_SuitsItsSmallestPositiveValue()
    {
        Quantity.UnitFor(0, 38_000, 1_000_000_000).ShouldBe(DurationUnit.Microseconds);
        Quantity.UnitFor(72_000_000, 210_000_000).ShouldBe(DurationUnit.Milliseconds);
        Quantity.UnitFor(3_000_000_000).ShouldBe(DurationUnit.Seconds);
        Quantity.UnitFor().ShouldBe(DurationUnit.Microseconds);
    }

    [Theory]
    [InlineData(9_998.4, "9,998/s")]
    [InlineData(0.5, "0.5/s")]
    [InlineData(100, "100/s")]
    [InlineData(1_000_000, "1,000,000/s")]
    [InlineData(double.NaN, "-")]
    public void Rate_ReadsAsPeopleWriteIt(double perSecond, string text) => Quantity.Rate(perSecond).ShouldBe(text);

    [Theory]
    [InlineData(0, "0 %")]
    [InlineData(0.3712, "37.12 %")]
    [InlineData(1, "100 %")]
    [InlineData(0.0000012, "0.00012 %")]
    [InlineData(double.NaN, "-")]
    public void Percent_NeverRoundsALossToNothing(double share, string text) => Quantity.Percent(share).ShouldBe(text);

    [Theory]
    [InlineData(41, "0:41")]
    [InlineData(125, "2:05")]
    [InlineData(3723, "1:02:03")]
    [InlineData(90_000, "25:00:00")]
    public void Elapsed_ReadsAsAClock(int seconds, string text) =>
        Quantity.Elapsed(TimeSpan.FromSeconds(seconds)).ShouldBe(text);

    [Fact]
    public void Count_HasThousandsSeparators() => Quantity.Count(9_223_372_036_854_775_807)
        .ShouldBe("9,223,372,036,854,775,807");
}
