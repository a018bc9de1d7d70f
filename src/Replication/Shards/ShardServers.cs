using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Shards;

/// <summary>Where the keys of a shard are written and read, by the maps of both ends.</summary>
/// <param name="SourceMap">The source's map.</param>
/// <param name="DestinationMap">The destination's.</param>
/// <param name="Source">Where they are written; null where nobody has the slot.</param>
/// <param name="Destination">Where they are read; null where nobody has it.</param>
internal sealed record ShardServers(
    SlotMap? SourceMap, SlotMap? DestinationMap, ResolvedTarget? Source, ResolvedTarget? Destination);
