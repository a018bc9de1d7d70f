namespace RedisLatency.Server.Delays;

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
