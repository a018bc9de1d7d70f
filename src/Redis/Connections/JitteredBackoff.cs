using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// How long to wait before the next attempt: anything between nothing and a bound that doubles with every attempt,
/// so that many clients which lost the same server do not come back at the same instant. Source: "full jitter" in
/// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
/// </summary>
public sealed class JitteredBackoff
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

    /// <summary>
    /// Tries until it succeeds, at least once, while <see cref="RedisException.MayPassAtReconnect"/> says so of each
    /// failure and patience lasts; the last failure is thrown otherwise. Blocks meanwhile.
    /// </summary>
    /// <param name="attempt">What is tried.</param>
    /// <param name="patience">How long after the beginning a failure may still pass.</param>
    /// <param name="stop">Ends a wait, and with it the attempts.</param>
    /// <param name="result">What the attempt that succeeded returned.</param>
    /// <returns>Whether one succeeded before it was stopped.</returns>
    public bool TryFor<T>(
        Func<T> attempt, TimeSpan patience, CancellationToken stop, [MaybeNullWhen(false)] out T result)
    {
        var began = Stopwatch.GetTimestamp();
        return TryUntilDone(
            attempt,
            problem => problem.MayPassAtReconnect && Stopwatch.GetElapsedTime(began) < patience,
            stop,
            out result);
    }

    /// <summary>The wait before the next attempt.</summary>
    public TimeSpan Next()
    {
        var bound = Math.Min(_longest.Ticks, _first.Ticks * Math.Pow(2, Math.Min(_attempts++, 30)));
        return TimeSpan.FromTicks((long)(bound * _random()));
    }

    /// <summary>Starts again with the first bound.</summary>
    public void Reset() => _attempts = 0;
}
