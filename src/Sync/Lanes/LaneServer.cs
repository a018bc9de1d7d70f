using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Sync.Lanes;

/// <summary>Where a connection leads: the target, or one server of it.</summary>
internal sealed record LaneServer(RedisEndpoint Endpoint, ClusterNode? Node)
{
    public override string ToString() => Endpoint.Address;
}
