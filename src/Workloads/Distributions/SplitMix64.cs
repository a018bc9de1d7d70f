namespace RedisLatency.Workloads.Distributions;

/// <summary>Sebastiano Vigna, splitmix64.c (2015), after Steele, Lea and Flood, OOPSLA 2014. One to one.</summary>
internal static class SplitMix64
{
    public const ulong Step = 0x9E3779B97F4A7C15;

    public static ulong Mix(ulong state)
    {
        state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
        state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
        return state ^ (state >> 31);
    }

    public static ulong Next(ref ulong state) => Mix(state += Step);
}
