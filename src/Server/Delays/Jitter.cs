namespace RedisLatency.Server.Delays;

/// <summary>
/// What is added to the delay of each chunk, between two bounds: at any moment one value, which changes with time.
/// </summary>
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
    /// <value>
    /// The default is four sizes for the normal shape, twenty for the exponential, a thousand for Pareto.
    /// </value>
    public TimeSpan? Most { get; init; }

    /// <summary>The size in nanoseconds.</summary>
    internal double SizeNs => Size.Ticks * NanosecondsPerTick;

    /// <summary>Draws one, in nanoseconds.</summary>
    public long Draw(Random random) => Bounded(DrawUnbounded(random));

    /// <summary>Draws one, whatever the bounds.</summary>
    internal double DrawUnbounded(Random random) => Shape switch
    {
        JitterShape.Uniform => SizeNs * random.NextDouble(),
        JitterShape.Exponential => -SizeNs * Math.Log(1 - random.NextDouble()),
        JitterShape.Normal => SizeNs * StandardNormal(random),
        _ => SizeNs * (Math.Pow(1 - random.NextDouble(), -1 / Exponent) - 1),
    };

    /// <summary>The nearest value within the bounds.</summary>
    internal long Bounded(double value) =>
        (long)Math.Clamp(value, LeastNs(SizeNs), Math.Max(MostNs(SizeNs), LeastNs(SizeNs)));

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

/// <summary>How the part of a delay that varies is distributed.</summary>
public enum JitterShape
{
    /// <summary>Evenly from zero to the size.</summary>
    Uniform,

    /// <summary>Exponentially, with the size as the mean.</summary>
    Exponential,

    /// <summary>Normally around zero, with the size as the standard deviation.</summary>
    Normal,

    /// <summary>By a power law that begins at zero (Lomax), with the size as the scale.</summary>
    Pareto,
}
