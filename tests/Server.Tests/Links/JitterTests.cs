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
