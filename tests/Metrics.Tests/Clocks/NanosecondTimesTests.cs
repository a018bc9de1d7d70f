using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Tests.Clocks;

public class NanosecondTimesTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 100)]
    [InlineData(-3, -300)]
    [InlineData(10_000_000, 1_000_000_000)]
    public void Time_AndItsNanoseconds_AreTheSame(long ticks, long nanoseconds)
    {
        new TimeSpan(ticks).InNanoseconds.ShouldBe(nanoseconds);
        TimeSpan.FromNanoseconds(nanoseconds).Ticks.ShouldBe(ticks);
    }

    [Fact]
    public void Nanoseconds_ThatFillNoTick_AreLeftOut() => TimeSpan.FromNanoseconds(199).Ticks.ShouldBe(1);
}
