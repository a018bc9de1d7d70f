using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Consumer.Serving;

/// <summary>
/// What must be known of a server before serving: that it is reached, and that the user has the rights.
/// </summary>
internal sealed record ServerPreflight(
    string Endpoint, string Connection, ServerFacts Facts, RightsFinding Rights, RightsFinding? ProbeRights)
{
    /// <summary>Reaches the server and asks it; publishes nothing.</summary>
    public static ServerPreflight Check(ResolvedTarget target, ConsumerPlan plan)
    {
        using var control = target.OpenControl();
        var rights = PubSubRights.Check(control, plan.ReplyChannels, plan.Channels);
        return new ServerPreflight(
            target.Endpoint.ToString(),
            $"RESP{control.Protocol} over {control.TransportDescription}",
            ServerFacts.Read(control),
            rights,
            plan.Options.Probe.UsesRedis
                ? PubSubRights.Check(control, plan.ProbeLane.PublishChannels, plan.ProbeLane.SubscribeChannels)
                : null);
    }

    /// <summary>Why not through Redis, with the line that mends it; null where probes can be answered there.</summary>
    public string? ProbeComplaint => ProbeRights is { IsSufficient: false } rights ? rights.Complaint : null;

    public void RequireRights()
    {
        if (!Rights.IsSufficient)
            throw new RunRefusedException($"{Endpoint}: {Rights.Complaint}");
    }
}
