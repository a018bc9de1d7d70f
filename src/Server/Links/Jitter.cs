namespace RedisLatency.Server.Links;

/// <summary>What is added to the delay of each chunk: drawn anew every time, between two bounds.</summary>
/// <param name="Shape">The distribution.</param>
/// <param name="Size">Its size; what that is, <see cref="JitterShape"/> says.</param>
public sealed record Jitter(JitterShape Shape, TimeSpan Size)
{
    private const double NanosecondsPerTick = 100;

    /// <summary>The power of the tail of <see cref="JitterShape.Pareto"/>; from 2 up it has a variance.</summary>
    public double Exponent { get; init; } = 2.5;

    /// <summary>Nothing less is added; what is drawn below it becomes it.</summary>
    /// <value>The default is four sizes below zero for the normal shape, and zero for the others.</value>
    public TimeSpan? Least { get; init; }

    /// <summary>Nothing more is added; what is drawn above it becomes it.</summary>
    /// <value>The default is four sizes for the normal shape, twenty for the exponential, a thousand for Pareto.</value>
    public TimeSpan? Most { get; init; }

    /// <summary>Draws one, in nanoseconds.</summary>
    public long Draw(Random random)
    {
        var size = Size.Ticks * NanosecondsPerTick;
        var drawn = Shape switch
        {
            JitterShape.Uniform => size * random.NextDouble(),
            JitterShape.Exponential => -size * Math.Log(1 - random.NextDouble()),
            JitterShape.Normal => size * StandardNormal(random),
            _ => size * (Math.Pow(1 - random.NextDouble(), -1 / Exponent) - 1),
        };
        return (long)Math.Clamp(drawn, LeastNs(size), Math.Max(MostNs(size), LeastNs(size)));
    }

    private double LeastNs(double size) =>
        Least is { } least ? least.Ticks * NanosecondsPerTick : Shape == JitterShape.Normal ? -4 * size : 0;

    private double MostNs(double size) => Most is { } most ? most.Ticks * NanosecondsPerTick : size * Shape switch
    {
        JitterShape.Uniform => 1,
        JitterShape.Exponential => 20,
        JitterShape.Normal => 4,
        _ => 1000,
    };

    // Box and Muller; the second of the pair is not kept, so that a draw depends on nothing but the generator.
    private static double StandardNormal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
