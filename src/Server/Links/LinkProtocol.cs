namespace RedisLatency.Server.Links;

/// <summary>What a route of a link carries.</summary>
public enum LinkProtocol
{
    /// <summary>Connections: nothing is lost, and the order is kept.</summary>
    Tcp,

    /// <summary>Datagrams, which may be lost, doubled and overtaken.</summary>
    Udp,
}
