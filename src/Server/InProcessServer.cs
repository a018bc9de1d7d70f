using System.Globalization;
using System.Net;
using System.Net.Sockets;
using RedisLatency.Server.Clients;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server;

/// <summary>
/// A Redis to try things on, in this process: strings, expiry and publish/subscribe in RESP2 and RESP3, on one thread
/// over a loopback port or a Unix socket. Its replies follow Redis 7.0. It is the embedded default of the services,
/// and the floor they calibrate against.
/// </summary>
public sealed class InProcessServer : IDisposable, IAsyncDisposable
{
    private readonly ServerLoop _loop;
    private readonly InProcessServerOptions _options;

    private InProcessServer(InProcessServerOptions options)
    {
        _options = options;
        _loop = new ServerLoop(options);
    }

    /// <summary>The TCP port it listens on; zero on a Unix socket.</summary>
    public int Port => _loop.Port;

    /// <summary>
    /// Where it listens, as users type it: <c>redis://127.0.0.1:6379</c>, <c>unix:/run/redis.sock</c>.
    /// </summary>
    public string Endpoint => _options.UnixSocketPath is { } path
        ? $"unix:{path}"
        : string.Create(CultureInfo.InvariantCulture, $"redis://{Host}:{Port}");

    /// <summary>What shall go wrong.</summary>
    public FaultScript Faults => _loop.Faults;

    private string Host => _options.Address.AddressFamily == AddressFamily.InterNetworkV6
        ? $"[{_options.Address}]"
        : _options.Address.ToString();

    /// <summary>Starts a server; it listens when this returns.</summary>
    /// <exception cref="SocketException">The port or path is taken, or not permitted.</exception>
    public static InProcessServer Start(InProcessServerOptions? options = null)
    {
        var server = new InProcessServer(options ?? new InProcessServerOptions());
        server._loop.Start();
        return server;
    }

    /// <summary>Closes every connection and ends the thread.</summary>
    public void Dispose() => _loop.Dispose();

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _loop.Dispose();
        return ValueTask.CompletedTask;
    }
}

/// <summary>Where the in-process server listens, whom it lets in, and how it treats slow subscribers.</summary>
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

    /// <summary>The password of the user <c>default</c>.</summary>
    /// <value>The default, null, lets everyone in without AUTH.</value>
    public string? Password { get; init; }

    /// <summary>Further users.</summary>
    public IReadOnlyList<ServerUser> Users { get; init; } = [];

    /// <summary>What a subscriber may leave unread.</summary>
    public OutputBufferLimit OutputBufferLimit { get; init; } = OutputBufferLimit.Default;

    /// <summary>The clock of key expiry and TIME.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Who is told of every write; null for nobody.</summary>
    internal IWriteWitness? WriteWitness { get; init; }
}
