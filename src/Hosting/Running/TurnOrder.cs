using Microsoft.Extensions.Logging;

namespace RedisLatency.Hosting.Running;

/// <summary>The order in which two servers are measured in turns, and how many turns there are.</summary>
public static class TurnOrder
{
    private const int Fewest = 10;
    private const int Most = 40;
    private const long SamplesForATail = 1_000;

    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// How many turns each server has: so many that the intervals are narrow, so few that each has samples enough for a
    /// 99th percentile, where that can be.
    /// </summary>
    /// <param name="duration">How long each is measured; null where that is not known.</param>
    /// <param name="samples">How many samples each has; null where that is not known.</param>
    public static int TurnsOf(TimeSpan? duration, double? samples)
    {
        var byTime = duration / Shortest ?? Most;
        var bySamples = samples / SamplesForATail ?? Fewest;
        // A server is the first of as many pairs as the other.
        return (int)Math.Clamp(Math.Min(byTime, bySamples), Fewest, Most) / 2 * 2;
    }

    /// <summary>
    /// Which server (0 or 1) is next, two times as often as there are turns: ABBA or BAAB, by chance, so that neither
    /// is always first and what rises or falls meets both alike.
    /// </summary>
    public static IEnumerable<int> Of(int turns, int seed)
    {
        var random = new Random(seed);
        for (var turn = 0; turn < turns; turn += 2)
        {
            var first = random.Next(2);
            int[] four = [first, 1 - first, 1 - first, first];
            foreach (var place in four.Take(2 * (turns - turn)))
                yield return place;
        }
    }
}

internal static partial class TurnLog
{
    [LoggerMessage(EventId = 40, Level = LogLevel.Information, Message = "{Done} of {Turns} turns.")]
    public static partial void Progress(ILogger logger, int done, int turns);
}
