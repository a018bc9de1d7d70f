namespace RedisLatency.Redis.Topology;

/// <summary>Finds out who serves which slot. Used by one thread at a time.</summary>
internal interface ISlotMapQuestion : IDisposable
{
    /// <summary>Asks until one of the servers gives a map, the witness first.</summary>
    /// <exception cref="RedisException">None does.</exception>
    SlotMap Ask(ClusterNode? witness, long version);
}
