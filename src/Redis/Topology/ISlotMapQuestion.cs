namespace RedisLatency.Redis.Topology;

internal interface ISlotMapQuestion : IDisposable
{
    SlotMap Ask(ClusterNode? witness, long version);
}
