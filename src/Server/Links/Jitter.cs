namespace RedisLatency.Server.Links;

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

    internal double SizeNs => Size.Ticks * NanosecondsPerTick;

    /// <summary>Draws one, in nanoseconds.</summary>
    public long Draw(Random random) => Bounded(DrawUnbounded(random));

    internal double DrawUnbounded(Random random) => Shape switch
    {
        JitterShape.Uniform => SizeNs * random.NextDouble(),
        JitterShape.Exponential => -SizeNs * Math.Log(1 - random.NextDouble()),
        JitterShape.Normal => SizeNs * StandardNormal(random),
        _ => SizeNs * (Math.Pow(1 - random.NextDouble(), -1 / Exponent) - 1),
    };

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

/// <summary>
/// A jitter that changes with time, and by no more than half of the time that passes: nothing would come out before
/// what went in earlier, so that the order is kept without anything waiting for it. At any moment it has its
/// distribution.
/// </summary>
/// <remarks>
/// The zig-zag process (Bierkens, Fearnhead, Roberts, "The Zig-Zag process and super-efficient sampling", 2019) in one
/// dimension: it moves at one speed, and turns, on its way to rarer values, where their density has fallen to a share
/// of what it was that is drawn evenly. Where it was drawn from its distribution at first it has that for ever.
/// </remarks>
internal sealed class JitterWalk
{
    private const double Speed = 0.5;

    /// <summary>After so many sizes it has forgotten where it was, and is drawn anew.</summary>
    private const double Memory = 10_000;

    private readonly Jitter _jitter;
    private readonly Random _random;
    private readonly double _size;
    private double _value;
    private double _turn;
    private bool _isRising;
    private long _atNs;

    public JitterWalk(Jitter jitter, Random random)
    {
        (_jitter, _random, _size) = (jitter, random, jitter.SizeNs);
        Begin();
    }

    /// <summary>What it is then, in nanoseconds; asked for in the order of time.</summary>
    public long At(long nowNs)
    {
        var way = Speed * Math.Max(0, nowNs - _atNs);
        _atNs = Math.Max(_atNs, nowNs);
        if (way > Memory * _size)
            Begin();
        else
            Move(way);
        return _jitter.Bounded(_value);
    }

    private void Begin()
    {
        (_value, _isRising) = (_jitter.DrawUnbounded(_random), _random.NextDouble() < 0.5);
        _turn = NextTurn();
    }

    private void Move(double way)
    {
        for (var left = Math.Abs(_turn - _value); way >= left && _size > 0; left = Math.Abs(_turn - _value))
        {
            way -= left;
            (_value, _isRising) = (_turn, !_isRising);
            _turn = NextTurn();
        }

        if (_size > 0)
            _value += _isRising ? way : -way;
    }

    private double NextTurn()
    {
        // Between 0, exclusive, and 1.
        var share = 1 - _random.NextDouble();
        return _jitter.Shape switch
        {
            JitterShape.Uniform => _isRising
                ? Math.Min(_size, _value - (_size * Math.Log(share)))
                : Math.Max(0, _value + (_size * Math.Log(share))),
            JitterShape.Normal => _isRising ? OfNormal(_value, share) : -OfNormal(-_value, share),
            _ when !_isRising => 0,
            JitterShape.Exponential => _value - (_size * Math.Log(share)),
            _ => ((_size + _value) * Math.Pow(share, -1 / (_jitter.Exponent + 1))) - _size,
        };
    }

    // Up to the middle values become less rare.
    private double OfNormal(double from, double share) =>
        Math.Sqrt(Math.Pow(Math.Max(0, from), 2) - (2 * _size * _size * Math.Log(share)));
}
