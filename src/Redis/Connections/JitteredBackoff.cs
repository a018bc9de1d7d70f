namespace RedisLatency.Redis.Connections;

/// <summary>
/// How long to wait before the next attempt: anything between nothing and a bound that doubles with every attempt,
/// so that many clients which lost the same server do not come back at the same instant. Source: "full jitter" in
/// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
/// </summary>
internal sealed class JitteredBackoff
{
    // A server that is back is found within half a second, since its absence counts as an outage wherever one is
    // measured; a hundred clients of one that stays away together try it four hundred times a second.
    private static readonly TimeSpan FirstBound = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan LongestBound = TimeSpan.FromMilliseconds(500);

    private readonly TimeSpan _first;
    private readonly TimeSpan _longest;
    private readonly Func<double> _random;
    private int _attempts;

    /// <summary>Begins with a bound of 50 ms, and does not exceed one of 500 ms.</summary>
    public JitteredBackoff()
        : this(Random.Shared.NextDouble)
    {
    }

    // Numbers from 0 up to but not including 1.
    internal JitteredBackoff(Func<double> random, TimeSpan? constant = null) =>
        (_random, _first, _longest) = (random, constant ?? FirstBound, constant ?? LongestBound);

    /// <summary>What the next wait stays below.</summary>
    public TimeSpan Bound => _attempts < 30 && _first * Math.Pow(2, _attempts) is var bound && bound < _longest
        ? bound
        : _longest;

    /// <summary>The wait before the next attempt.</summary>
    public TimeSpan Next()
    {
        var bound = Bound;
        _attempts++;
        return bound * _random();
    }

    /// <summary>Starts again with the first bound.</summary>
    public void Reset() => _attempts = 0;
}
