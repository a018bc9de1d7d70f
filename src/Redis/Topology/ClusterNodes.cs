using System.Text;
using RedisLatency.Redis.Endpoints;

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
