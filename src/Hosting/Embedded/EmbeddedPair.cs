using RedisLatency.Server.Links;

namespace RedisLatency.Hosting.Embedded;

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
