using RedisLatency.Messaging.Sending;

namespace RedisLatency.Messaging.Tests.Sending;

public sealed class SendScheduleTests
{
    [Theory]
    [InlineData(1_000)]
    [InlineData(3)]
    [InlineData(333_333.3)]
    public void Uniform_NeverDriftsFromStartPlusIndexTimesInterval(double rate)
    {
        var schedule = new SendSchedule(rate, Arrival.Uniform, seed: 1);
        schedule.Start(5_000);

        for (var i = 0; i < 1_000_000; i++)
        {
            schedule.Due.ShouldBe(5_000 + (long)(i * (1e9 / rate)));
            schedule.Take();
        }
    }

    [Fact]
    public void Poisson_HasTheMeanAndSpreadOfAnExponential()
    {
        const int Count = 200_000;
        var schedule = new SendSchedule(10_000, Arrival.Poisson, seed: 7);
        schedule.Start(0);
        var gaps = new double[Count];
        var last = 0L;
        for (var i = 0; i < Count; i++)
        {
            gaps[i] = schedule.Due - last;
            last = schedule.Due;
            schedule.Take();
        }

        // Of an exponential the mean equals the standard deviation; both have a standard error of 1/√n, 0.22 %.
        var mean = gaps.Average();
        var deviation = Math.Sqrt(gaps.Average(gap => (gap - mean) * (gap - mean)));
        mean.ShouldBe(100_000, 1_500);
        deviation.ShouldBe(100_000, 1_500);
        ((double)gaps.Count(gap => gap > 100_000)).ShouldBe(Count * Math.Exp(-1), 1_500);
    }

    [Fact]
    public void Poisson_OfOneSeed_IsTheSameEveryTimeAndInEveryProcess()
    {
        // The last digit is that of the machine's logarithm.
        foreach (var (due, expected) in Times(3).Zip([15_434_017L, 35_457_834L, 37_670_412L]))
            due.ShouldBeInRange(expected - 1, expected + 1);
        Times(3).ShouldBe(Times(3));
        Times(3).ShouldNotBe(Times(4));
    }

    private static long[] Times(int seed)
    {
        var schedule = new SendSchedule(100, Arrival.Poisson, seed);
        schedule.Start(0);
        return [.. Enumerable.Range(0, 50).Select(_ =>
        {
            schedule.Take();
            return schedule.Due;
        })];
    }
}
