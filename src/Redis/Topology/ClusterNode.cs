using System.Text;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>The servers of one cluster as they become known, each with a number that it keeps. Thread safe.</summary>
internal sealed class ClusterNodes(RedisEndpoint pattern)
{
    // A hostile server could name new servers for ever.
    private const int Most = 4096;

    private readonly Lock _gate = new();
    private volatile ClusterNode[] _known = [];

    public IReadOnlyList<ClusterNode> Known => _known;

    public ClusterNode Add(RedisEndpoint endpoint)
    {
        lock (_gate)
            return _known.FirstOrDefault(node => node.Endpoint == endpoint) ?? Append(endpoint);
    }

    /// <summary>An empty host is that of the server asked. Does not allocate where the place is known.</summary>
    public ClusterNode At(ReadOnlySpan<byte> host, int port, ClusterNode asked)
    {
        if (!ClusterHost.IsKnown(host))
            return At(port, asked);
        return Find(host, port) ?? AddNew(Encoding.UTF8.GetString(host), port);
    }

    private ClusterNode At(int port, ClusterNode asked)
    {
        // A server reached over a Unix socket that does not know its address cannot mean another one.
        if (asked.Endpoint.Port == port || asked.Endpoint.SocketPath is not null)
            return asked;
        return Find(Encoding.UTF8.GetBytes(asked.Endpoint.Host), port) ?? AddNew(asked.Endpoint.Host, port);
    }

    private ClusterNode? Find(ReadOnlySpan<byte> host, int port)
    {
        foreach (var node in _known)
        {
            if (node.IsAt(host, port))
                return node;
        }

        return null;
    }

    private ClusterNode AddNew(string host, int port)
    {
        lock (_gate)
        {
            return Find(Encoding.UTF8.GetBytes(host), port)
                ?? Append(pattern.At(new HostAndPort(host, port)));
        }
    }

    private ClusterNode Append(RedisEndpoint endpoint)
    {
        if (_known.Length == Most)
            throw new RedisProtocolException($"the cluster names more than {Most} servers");
        var node = new ClusterNode(_known.Length, endpoint);
        _known = [.. _known, node];
        return node;
    }
}

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

/// <summary>
/// How a cluster writes a host that it does not know: nothing, before a node has heard from others what its address
/// is, or <c>?</c> where it should announce a name that it does not have (<c>cluster-preferred-endpoint-type</c>).
/// </summary>
internal static class ClusterHost
{
    public static bool IsKnown(ReadOnlySpan<byte> host) => !host.IsEmpty && !host.SequenceEqual("?"u8);

    public static bool IsKnown(string host) => host.Length > 0 && host != "?";
}
