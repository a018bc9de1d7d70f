namespace RedisLatency.Hosting.Peers.Lanes;

/// <summary>The channels of the probe lane through Redis.</summary>
public static class ProbeChannels
{
    /// <summary>The channel that a run's askers publish to.</summary>
    public static string Questions(string run) => $"redislatency:{run}:probe";

    /// <summary>The channel that a run's answerers publish to.</summary>
    public static string Answers(string run) => $"redislatency:{run}:probe-reply";
}
