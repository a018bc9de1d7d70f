using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Tests.Keys;

/// <summary>Keys drawn with a fixed seed.</summary>
internal static class Draws
{
    /// <summary>A chooser of the only worker.</summary>
    public static KeyChooser Of(string distribution, long count, long first = 0, long expectedInserts = 0) =>
        KeyDistribution.Parse(distribution).Create(new KeySpace(first, count, expectedInserts), 0, 1);

    /// <summary>How often each of the keys from <paramref name="first"/> on was drawn.</summary>
    public static long[] Count(KeyChooser chooser, int keys, int draws, long first = 0, ulong seed = 20_261_121)
    {
        var random = new RandomSource(seed);
        var counts = new long[keys];
        for (var draw = 0; draw < draws; draw++)
            counts[chooser.Next(random) - first]++;
        return counts;
    }
}
