using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class ArrivalScheduleTests
{
    [Fact]
    public void Workers_TakeTurnsInOneExactSequence()
    {
        var due = Due(RateStep.Constant(3_000), ArrivalKind.Uniform, workers: 4, each: 50_000).Order().ToArray();

        due.ShouldBe(Enumerable.Range(0, 200_000).Select(number => 1_000 + (long)(number * 1e9 / 3_000)));
    }

    [Theory]
    [InlineData(ArrivalKind.Uniform)]
    [InlineData(ArrivalKind.Burst)]
    internal void Members_TakeTurnsInTheSameSequence_AsOneProcessWithAsManyWorkers(ArrivalKind arrival)
    {
        const int Members = 3;
        var whole = Due(RateStep.Constant(3_000), arrival, workers: 2 * Members, each: 1_000).Order().ToArray();

        var parts = Enumerable.Range(0, Members).SelectMany(member => Due(
            RateStep.Constant(3_000.0 / Members), arrival, workers: 2, each: 1_000, new MemberShare(member, Members)));

        var nearest = parts.Order().Zip(whole, (part, due) => Math.Abs(part - due)).ToArray();
        nearest.Length.ShouldBe(6_000);
        nearest.Max().ShouldBeLessThanOrEqualTo(1, "the last digit is rounded");
    }

    [Fact]
    public void Bursts_ComeTogether_AndKeepTheRate()
    {
        var due = Due(RateStep.Constant(1_000), ArrivalKind.Burst, workers: 2, each: 50).Order().ToArray();

        due.ShouldBe(Enumerable.Range(0, 100).Select(number => 1_000 + (number / 10 * 10_000_000L)));
    }

    [Fact]
    public void Poisson_HasTheRateAndTheSpreadOfIndependentUsers()
    {
        var due = Due(RateStep.Constant(1_000), ArrivalKind.Poisson, workers: 2, each: 20_000).Order().ToArray();
        var upTo = Math.Min(due.Length, 39_000);
        var gaps = Enumerable.Range(1, upTo - 1).Select(place => (double)(due[place] - due[place - 1])).ToArray();
        var mean = gaps.Average();
        var deviation = Math.Sqrt(gaps.Average(gap => (gap - mean) * (gap - mean)));

        // The mean of 39,000 exponential gaps has a standard deviation of half a percent.
        mean.ShouldBeInRange(0.97e6, 1.03e6);
        (deviation / mean).ShouldBeInRange(0.96, 1.04);
    }

    /// <summary>
    /// Worked out apart from the product, from the definitions of xoshiro256** and splitmix64: another process, and
    /// another machine, have them too.
    /// </summary>
    [Theory]
    [InlineData(1, 0, new long[] { 1_650_075, 1_663_519, 4_574_468 })]
    [InlineData(1, 1, new long[] { 554_154, 9_761_881, 10_839_555 })]
    [InlineData(7, 0, new long[] { 4_453_000, 8_131_360, 8_862_718 })]
    public void Poisson_OfASeed_IsTheSameInEveryProcess(int seed, int worker, long[] expected)
    {
        var plan = EngineTest.Plan("redis://127.0.0.1:1", EngineTest.Mix("get")) with
        {
            Rate = RateStep.Constant(1_000),
            Arrival = new(ArrivalKind.Poisson),
            Threads = 2,
            Seed = seed,
        };
        var schedule = new ArrivalSchedule(plan, worker);
        schedule.Start(1_000);
        foreach (var due in expected)
        {
            // The last digit is that of the machine's logarithm.
            schedule.Due.ShouldBeInRange(due - 1, due + 1);
            schedule.Take();
        }
    }

    /// <summary>
    /// The warm-up keeps to the rate at the beginning of the first step, and takes nothing away from the steps: what is
    /// measured is due as if there had been none, of the same seed at the same times.
    /// </summary>
    [Theory]
    [InlineData("10:1s,1000", nameof(ArrivalKind.Uniform), 10, 1_010)]
    [InlineData("10:1s,1000", nameof(ArrivalKind.Burst), 10, 1_010)]
    [InlineData("10:1s,1000", nameof(ArrivalKind.Poisson), null, null)]
    [InlineData("100..1100:2s", nameof(ArrivalKind.Uniform), 100, 1_200)]
    [InlineData("100..1100:2s", nameof(ArrivalKind.Poisson), null, null)]
    [InlineData("0:1s,1000", nameof(ArrivalKind.Uniform), 0, 1_000)]
    public void Steps_BeginWithTheMeasuredStretch(string rate, string arrival, int? warmingUp, int? measured)
    {
        var plan = EngineTest.Plan("redis://127.0.0.1:1", EngineTest.Mix("get")) with
        {
            Rate = RateSyntax.Create().Read(rate).Value!,
            Arrival = new(Enum.Parse<ArrivalKind>(arrival)),
            Threads = 2,
        };

        var without = DueWithin(plan, TimeSpan.FromSeconds(2));
        var due = DueWithin(plan with { WarmUp = TimeSpan.FromSeconds(1) }, TimeSpan.FromSeconds(3));

        due.Where(time => time >= 1_000_000_000).ShouldBe(without.Select(time => time + 1_000_000_000));
        if (measured is { } count)
            without.Length.ShouldBe(count);
        if (warmingUp is { } before)
            (due.Length - without.Length).ShouldBe(before);
    }

    [Fact]
    public void Ramp_FollowsTheAreaUnderTheRate()
    {
        // From 0 to 1,000 a second over 10 s, then on: n(t) = 50 t² until 5,000, which is at 10 s.
        var curve = new RateCurve([new RateStep(0, 1_000, TimeSpan.FromSeconds(10))]);

        foreach (var count in (double[])[0, 1, 50, 1_250, 4_999])
            ((double)curve.TimeOf(count)).ShouldBe(Math.Sqrt(count / 50) * 1e9, 1.0);
        curve.TimeOf(5_000).ShouldBe(10_000_000_000);
        curve.TimeOf(6_000).ShouldBe(11_000_000_000);
    }

    [Fact]
    public void Steps_FollowOneAnother_AndAPauseIsKept()
    {
        var curve = new RateCurve(
        [
            new RateStep(100, 100, TimeSpan.FromSeconds(1)), new RateStep(0, 0, TimeSpan.FromSeconds(2)),
            new RateStep(10, 10, TimeSpan.Zero),
        ]);

        curve.TimeOf(99).ShouldBe(990_000_000);
        curve.TimeOf(100).ShouldBe(3_000_000_000);
        curve.TimeOf(110).ShouldBe(4_000_000_000);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void RateThatNeverEnds_IsRefused(double rate) =>
        Should.Throw<ArgumentException>(() => new RateCurve(RateStep.Constant(rate)));

    private static long[] DueWithin(EnginePlan plan, TimeSpan duration)
    {
        var all = new List<long>();
        for (var worker = 0; worker < plan.Threads; worker++)
        {
            var schedule = new ArrivalSchedule(plan, worker);
            for (schedule.Start(0); schedule.Due < duration.TotalNanoseconds; schedule.Take())
                all.Add(schedule.Due);
        }

        return [.. all.Order()];
    }

    private static IEnumerable<long> Due(
        IReadOnlyList<RateStep> rate, ArrivalKind arrival, int workers, int each, MemberShare? member = null)
    {
        var plan = EngineTest.Plan("redis://127.0.0.1:1", EngineTest.Mix("get")) with
        {
            Rate = rate,
            Arrival = new(arrival),
            Threads = workers,
            Member = member ?? MemberShare.Alone,
        };
        for (var worker = 0; worker < workers; worker++)
        {
            var schedule = new ArrivalSchedule(plan, plan.FirstWorker + worker);
            schedule.Start(1_000);
            for (var number = 0; number < each; number++)
            {
                yield return schedule.Due;
                schedule.Take();
            }
        }
    }
}
