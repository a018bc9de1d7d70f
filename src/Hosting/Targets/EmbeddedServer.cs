using RedisLatency.Server;
using RedisLatency.Server.Links;

namespace RedisLatency.Hosting.Targets;

/// <summary>
/// A server within this process, on a free loopback port: what a service measures where no endpoint is given, and the
/// floor it calibrates against.
/// </summary>
public sealed class EmbeddedServer : IDisposable
{
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

    private EmbeddedPair(TimeSpan delay) =>
        (_pair, Delay) = (ForwardedPair.Start(LinkProfile.Symmetric(delay)), delay);

    /// <summary>Where to write, as users type it.</summary>
    public string Source => _pair.Source;

    /// <summary>Where to read.</summary>
    public string Destination => _pair.Destination;

    /// <summary>What the line takes.</summary>
    public TimeSpan Delay { get; }

    /// <summary>Starts both.</summary>
    /// <param name="delay">How long a write is on its way.</param>
    /// <exception cref="System.Net.Sockets.SocketException">This process may not listen on the loopback.</exception>
    public static EmbeddedPair Start(TimeSpan delay) => new(delay);

    /// <summary>Ends both.</summary>
    public void Dispose() => _pair.Dispose();
}
