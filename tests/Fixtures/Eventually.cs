using System.Diagnostics;

namespace RedisLatency.Fixtures;

/// <summary>Waits for a state of another process, which nothing announces, by looking again and again.</summary>
public static class Eventually
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    /// <summary>Looks until there is something to return.</summary>
    /// <param name="what">What is waited for: <c>the replica is promoted</c>.</param>
    /// <param name="look">Returns null while it is not there; an exception of Redis counts as null.</param>
    /// <exception cref="TimeoutException">It did not come; the limit is only against hangs.</exception>
    public static async Task<T> Get<T>(string what, Func<T?> look)
        where T : class
    {
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            Exception? problem = null;
            try
            {
                if (look() is { } found)
                    return found;
            }
            catch (Redis.RedisException notYet)
            {
                problem = notYet;
            }

            if (Stopwatch.GetElapsedTime(start) > ServiceProcess.LimitAgainstHangs)
                throw new TimeoutException($"It did not come to this: {what}.", problem);
            await Task.Delay(Pause);
        }
    }

    /// <summary>Looks until something is so.</summary>
    /// <inheritdoc cref="Get"/>
    public static Task Is(string what, Func<bool> look) => Get(what, () => look() ? what : null);
}
