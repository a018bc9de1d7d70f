using System.Diagnostics.CodeAnalysis;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// How long to wait before the next attempt: anything between nothing and a bound that doubles with every attempt,
/// so that many clients which lost the same server do not come back at the same instant. Source: "full jitter" in
/// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
/// </summary>
public sealed class JitteredBackoff
{
    private readonly TimeSpan _initial;
    private readonly TimeSpan _limit;
    private readonly Func<double> _random;
    private int _attempts;

    /// <param name="initial">The bound of the first wait; 50 ms where none is given.</param>
    /// <param name="limit">The bound that is not exceeded; 5 s where none is given.</param>
    /// <param name="random">Numbers from 0 up to but not including 1.</param>
    public JitteredBackoff(TimeSpan? initial = null, TimeSpan? limit = null, Func<double>? random = null)
    {
        _initial = initial ?? TimeSpan.FromMilliseconds(50);
        _limit = limit ?? TimeSpan.FromSeconds(5);
        _random = random ?? Random.Shared.NextDouble;
        ArgumentOutOfRangeException.ThrowIfLessThan(_initial, TimeSpan.Zero, nameof(initial));
        ArgumentOutOfRangeException.ThrowIfLessThan(_limit, _initial, nameof(limit));
    }

    /// <summary>Tries until it succeeds, at least once, and waits after each failure; blocks meanwhile.</summary>
    /// <param name="attempt">What is tried.</param>
    /// <param name="mayPass">Whether to try again after a failure; it is thrown otherwise.</param>
    /// <param name="stop">Ends a wait, and with it the attempts.</param>
    /// <param name="result">What the attempt that succeeded returned.</param>
    /// <returns>Whether one succeeded before it was stopped.</returns>
    public bool TryUntilDone<T>(
        Func<T> attempt, Func<RedisException, bool> mayPass, CancellationToken stop,
        [MaybeNullWhen(false)] out T result)
    {
        Reset();
        do
        {
            try
            {
                result = attempt();
                return true;
            }
            catch (RedisException problem)
            {
                if (!mayPass(problem))
                    throw;
            }
        }
        while (!stop.WaitHandle.WaitOne(Next()));

        result = default;
        return false;
    }

    /// <summary>The wait before the next attempt.</summary>
    public TimeSpan Next()
    {
        // 2^30 times any bound that makes sense is beyond any limit that does; more would overflow.
        var bound = Math.Min(_limit.Ticks, _initial.Ticks * Math.Pow(2, Math.Min(_attempts++, 30)));
        return TimeSpan.FromTicks((long)(bound * _random()));
    }

    /// <summary>Starts again with the first bound.</summary>
    public void Reset() => _attempts = 0;
}
