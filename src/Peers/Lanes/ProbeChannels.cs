namespace RedisLatency.Peers.Lanes;

/// <summary>The channels of the probe lane through Redis.</summary>
public static class ProbeChannels
{
    /// <summary>
    /// Room enough for a probe, in bytes: a longer message on these channels is none, and is not kept.
    /// </summary>
    public const int LongestMessage = 1_024;

    /// <summary>The channel that a run's askers publish to.</summary>
    public static string Questions(string run) => $"redislatency:{run}:probe";

    /// <summary>The channel that a run's answerers publish to.</summary>
    public static string Answers(string run) => $"redislatency:{run}:probe-reply";
}
