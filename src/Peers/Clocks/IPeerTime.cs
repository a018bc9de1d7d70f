namespace RedisLatency.Peers.Clocks;

/// <summary>What time it is at a peer.</summary>
public interface IPeerTime
{
    /// <summary>Converts a time of this host's clock.</summary>
    /// <returns>False where the offset is not known.</returns>
    bool TryConvert(long ownNs, out long peerNs, out long errorNs);
}
