using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Probe;

internal sealed record ReadDestination(int Number, ResolvedTarget Target, string? Region)
{
    public string Name => Region is null ? Target.Name : $"{Region} ({Target.Name})";
}
