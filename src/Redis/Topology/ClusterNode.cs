using System.Text;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// A server of a cluster. The maps of one <see cref="SlotMapSource"/> name the same server by the same object, whatever
/// its role becomes.
/// </summary>
public sealed class ClusterNode
{
    private readonly byte[] _host;

    internal ClusterNode(int number, RedisEndpoint endpoint)
    {
        Number = number;
        Endpoint = endpoint;
        _host = Encoding.UTF8.GetBytes(endpoint.Host);
    }

    /// <summary>
    /// Counts from 0 in the order in which servers became known and never changes: an index for connections.
    /// </summary>
    public int Number { get; }

    /// <summary>Where it is, with the login and the TLS settings that the cluster's endpoint was given.</summary>
    public RedisEndpoint Endpoint { get; }

    /// <summary>The address, for people.</summary>
    public override string ToString() => Endpoint.Address;

    internal bool IsAt(ReadOnlySpan<byte> host, int port) =>
        Endpoint.Port == port && Endpoint.SocketPath is null && host.SequenceEqual(_host);
}
