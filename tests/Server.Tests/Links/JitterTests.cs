using RedisLatency.Server.Links;

namespace RedisLatency.Server.Tests.Links;

public sealed class JitterTests
{
    private const int Draws = 200_000;
    private const double Size = 1_000_000;

    // Mean and standard deviation in sizes: the textbook's, for a Lomax of exponent 4.
    [Theory]
    [InlineData(JitterShape.Uniform, 0.5, 0.288675)]
    [InlineData(JitterShape.Exponential, 1, 1)]
    [InlineData(JitterShape.Normal, 0, 1)]
    [InlineData(JitterShape.Pareto, 0.333333, 0.471405)]
    public void Draws_HaveTheMomentsOfTheirDistribution(JitterShape shape, double mean, double deviation)
    {
        var jitter = new Jitter(shape, TimeSpan.FromMilliseconds(1)) { Exponent = 4 };
        var random = new Random(3);

        var drawn = Enumerable.Range(0, Draws).Select(_ => jitter.Draw(random) / Size).ToArray();

        drawn.Average().ShouldBe(mean, 0.01);
        Math.Sqrt(drawn.Average(one => one * one) - (drawn.Average() * drawn.Average())).ShouldBe(deviation, 0.05);
    }

    // Chunks lie much closer together than their jitter is large: drawn anew for each, the quick ones would wait for
    // those before them, and what comes out would be longer than what was planted.
    [Theory]
    [InlineData(JitterShape.Uniform, 0.5, 0.288675)]
    [InlineData(JitterShape.Exponential, 1, 1)]
    [InlineData(JitterShape.Normal, 0, 1)]
    [InlineData(JitterShape.Pareto, 0.333333, 0.471405)]
    public void WhatComesOut_HasTheMomentsThatWerePlantedAndKeepsItsOrder(JitterShape shape, double mean, double deviation)
    {
        var way = new LinkSettings
        {
            Delay = TimeSpan.FromMilliseconds(20),
            Jitter = new Jitter(shape, TimeSpan.FromMilliseconds(1)) { Exponent = 4 },
        };
        var line = new DelayLine(way, new LineRate(0), 0, new Random(5));
        var random = new Random(7);
        long arrived = 0;
        var given = new List<double>();
        var asked = new List<double>();

        for (var chunk = 0; chunk < 10 * Draws; chunk++)
        {
            arrived += (long)(Size * 0.4 * random.NextDouble());
            given.Add((line.DueNs(arrived, 1, out var one) - arrived) / Size);
            asked.Add(one / Size);
        }

        given.ShouldBe(asked, "nothing waits for what went in before");
        var average = given.Average();
        (average - 20).ShouldBe(mean, 0.02);
        Math.Sqrt(given.Average(one => (one - average) * (one - average))).ShouldBe(deviation, 0.05);
    }

    [Theory]
    [InlineData(JitterShape.Exponential)]
    [InlineData(JitterShape.Pareto)]
    public void Walk_AfterAnHourOfNothing_IsThereAtOnceAndWithinItsBounds(JitterShape shape)
    {
        var walk = new JitterWalk(new Jitter(shape, TimeSpan.FromTicks(1)), new Random(3));

        var values = Enumerable.Range(0, 1_000).Select(hour => walk.At(hour * 3_600_000_000_000)).ToArray();

        values.ShouldAllBe(value => value >= 0 && value <= 100_000);
        values.Distinct().Count().ShouldBeGreaterThan(10);
    }

    [Theory]
    [InlineData(JitterShape.Uniform)]
    [InlineData(JitterShape.Exponential)]
    [InlineData(JitterShape.Normal)]
    [InlineData(JitterShape.Pareto)]
    public void Draws_StayWithinTheirBounds(JitterShape shape)
    {
        var jitter = new Jitter(shape, TimeSpan.FromMilliseconds(1))
        {
            Least = TimeSpan.FromMilliseconds(0.25),
            Most = TimeSpan.FromMilliseconds(0.75),
        };
        var random = new Random(3);

        var drawn = Enumerable.Range(0, Draws).Select(_ => jitter.Draw(random)).ToArray();

        drawn.Min().ShouldBe(250_000);
        drawn.Max().ShouldBe(750_000);
    }

    [Fact]
    public void SameSeed_DrawsTheSame()
    {
        var jitter = new Jitter(JitterShape.Normal, TimeSpan.FromMilliseconds(1));
        var (one, other) = (new Random(5), new Random(5));

        Enumerable.Range(0, 100).ShouldAllBe(_ => jitter.Draw(one) == jitter.Draw(other));
    }
}
