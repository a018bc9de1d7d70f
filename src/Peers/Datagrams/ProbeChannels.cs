using RedisLatency.Redis.Lanes;

namespace RedisLatency.Peers.Datagrams;

/// <summary>The channels of the probe lane through Redis.</summary>
public static class ProbeChannels
{
    // Room enough for a probe, in bytes: a longer message on these channels is none, and is not kept.
    private const int LongestMessage = 1_024;

    /// <summary>The channel that a run's askers publish to.</summary>
    public static string Questions(string run) => $"redislatency:{run}:probe";

    /// <summary>The channel that a run's answerers publish to.</summary>
    public static string Answers(string run) => $"redislatency:{run}:probe-reply";

    /// <summary>The lane of a run's askers.</summary>
    public static LaneOptions ToAsk(string run, string clientName) =>
        Between(Questions(run), Answers(run), clientName);

    /// <summary>The lane of a run's answerers.</summary>
    public static LaneOptions ToAnswer(string run, string clientName) =>
        Between(Answers(run), Questions(run), clientName);

    private static LaneOptions Between(string published, string subscribed, string clientName) => new()
    {
        PublishChannels = [published],
        SubscribeChannels = [subscribed],
        MaxPayload = LongestMessage,
        ClientName = clientName,
    };
}
