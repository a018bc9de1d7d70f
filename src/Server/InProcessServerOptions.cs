using System.Net;
using RedisLatency.Server.Clients;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server;

/// <summary>Where the in-process server listens, and how it treats slow subscribers.</summary>
public sealed class InProcessServerOptions
{
    /// <summary>The address to listen on.</summary>
    /// <value>The default is the IPv4 loopback address; anything else is reachable by others.</value>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The TCP port.</summary>
    /// <value>The default, zero, takes a free one.</value>
    public int Port { get; init; }

    /// <summary>A path to listen on instead of TCP; must not exist, and is removed at the end.</summary>
    public string? UnixSocketPath { get; init; }

    /// <summary>What a subscriber may leave unread.</summary>
    public OutputBufferLimit OutputBufferLimit { get; init; } = OutputBufferLimit.Default;

    /// <summary>The clock of key expiry and INFO.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Who is told of every write; null for nobody.</summary>
    internal IWriteObserver? WriteWitness { get; init; }
}
