using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Hosting.Members;

/// <summary>What the verb <c>check</c> says of one of several processes.</summary>
public static class FleetCheck
{
    /// <summary>Reaches the Redis where they meet, and prints what its user must be allowed.</summary>
    /// <param name="fleet">Which member this is; null where it measures alone, which needs nothing.</param>
    /// <param name="output">Where to.</param>
    /// <returns>Whether it can be used.</returns>
    public static bool Run(FleetPlan? fleet, StandardOutput output) => fleet is null || ServiceCheck.Ask(output, () =>
    {
        using var control = ControlClient.Open(fleet.Control.Endpoint, fleet.Control.Connection);
        output.WriteLine($"ok    members would meet at {control.Name}");
        output.WriteLine($"note  its user needs no more than: {fleet.AclRule}");
        return true;
    });
}
