using RedisLatency.Server;
using RedisLatency.Server.Links;

namespace RedisLatency.Hosting.Targets;

/// <summary>
/// A server within this process, on a free loopback port: what a service measures where no endpoint is given, and the
/// floor it calibrates against.
/// </summary>
public sealed class EmbeddedServer : IDisposable
{
    /// <summary>What its thread is called.</summary>
    public const string ThreadName = InProcessServer.ThreadName;

    private readonly InProcessServer _server = InProcessServer.Start();

    private EmbeddedServer()
    {
    }

    /// <summary>Where it listens, as users type it: <c>redis://127.0.0.1:40123</c>.</summary>
    public string Endpoint => _server.Endpoint;

    /// <summary>Starts a server; it listens when this returns.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">This process may not listen on the loopback.</exception>
    public static EmbeddedServer Start() => new();

    /// <summary>Closes every connection and ends the server's thread.</summary>
    public void Dispose() => _server.Dispose();
}

/// <summary>
/// Two servers within this process, the writes of the first forwarded to the second through a long line: what a service
/// that measures replication tries itself on where no endpoint is given.
/// </summary>
public sealed class EmbeddedPair : IDisposable
{
    private readonly ForwardedPair _pair;

    private EmbeddedPair(TimeSpan delay) => _pair = ForwardedPair.Start(LinkProfile.Symmetric(delay));

    public string Source => _pair.Source;

    public string Destination => _pair.Destination;

    /// <summary>Starts both.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">This process may not listen on the loopback.</exception>
    public static EmbeddedPair Start(TimeSpan delay) => new(delay);

    public void Dispose() => _pair.Dispose();
}
