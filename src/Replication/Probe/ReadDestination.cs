using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Probe;

/// <summary>A server or cluster at which keys are read.</summary>
internal sealed record ReadDestination(int Number, ResolvedTarget Target, string? Region)
{
    public string Name => Region is null ? Target.Name : $"{Region} ({Target.Name})";
}
