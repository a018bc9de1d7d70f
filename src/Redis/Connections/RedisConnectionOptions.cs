using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

/// <summary>How a connection is opened and kept.</summary>
public sealed record RedisConnectionOptions
{
    /// <summary>The limit for name lookup, connecting, TLS and login together.</summary>
    /// <value>The default is 5 s.</value>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The limit for the reply to a command.</summary>
    /// <value>The default is 5 s.</value>
    public TimeSpan CommandTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// After how long a silent peer is asked by the kernel whether it is still there (TCP keep-alive); it is given
    /// up when it does not answer three times in as long again. Zero never asks.
    /// </summary>
    /// <value>The default is 30 s.</value>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The name for CLIENT SETNAME; empty sets none. Spaces are not allowed in it.</summary>
    public string ClientName { get; init; } = "redislatency";

    /// <summary>Which version of the protocol to ask for.</summary>
    public RespPreference Protocol { get; init; }

    /// <summary>
    /// Whether READONLY is sent: a node of a cluster that is or becomes a replica otherwise sends every reader to its
    /// primary.
    /// </summary>
    public bool ReadsReplica { get; init; }

    /// <summary>What is accepted of the server once it has let us in; of the login less.</summary>
    /// <value>The default is what short answers need, 64 KiB.</value>
    public RespLimits ReplyLimits { get; init; } = RespLimits.Control;

    /// <summary>Whether to spin on the socket instead of waiting in the kernel.</summary>
    public bool BusyPoll { get; init; }

    /// <summary>Whether to use the portable transport where a better one exists, to test it.</summary>
    internal bool IsPortable { get; init; } = ReadinessPoller.IsPortable;
}
