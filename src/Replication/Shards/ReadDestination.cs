using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Shards;

/// <summary>Where keys are read, and how.</summary>
/// <param name="Number">Its place among all destinations, from 0.</param>
/// <param name="Target">The server, or any node of a cluster.</param>
/// <param name="Region">Where it is; null where that was not said.</param>
/// <param name="Reading">How it is known that keys are there, as it was decided.</param>
internal sealed record ReadDestination(int Number, ResolvedTarget Target, string? Region, ReadingKind Reading)
{
    /// <summary>What events and reasons call it among others.</summary>
    public string Name => Region is null ? Target.Name : $"{Region} ({Target.Name})";

    /// <summary>Whether somebody means it by this name.</summary>
    /// <param name="name">A region, or an address.</param>
    public bool Is(string name) => name == Region || name == Target.Name;
}
