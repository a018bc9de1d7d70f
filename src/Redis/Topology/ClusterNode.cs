using System.Text;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// A server of a cluster. The maps of one <see cref="SlotMapSource"/> name the same server by the same object, whatever
/// its role becomes.
/// </summary>
public sealed class ClusterNode
{
    private readonly byte[] _host;
    private volatile string _id = string.Empty;

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

    /// <summary>Its lasting id, by which two processes know that they reach the same; empty where unknown.</summary>
    public string Id => _id;

    /// <summary>The address, for people.</summary>
    public override string ToString() => Endpoint.Address;

    internal ClusterNode Named(RespValue? id)
    {
        if (id is { IsNull: false })
            _id = id.Text;
        return this;
    }

    internal bool IsAt(ReadOnlySpan<byte> host, int port) =>
        Endpoint.Port == port && Endpoint.SocketPath is null && host.SequenceEqual(_host);
}
