using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Server.Links;

/// <summary>
/// Two in-process servers, the second of which is told of the first one's writes through a long line: a primary and its
/// replica in miniature. Everything that reads the second goes to it directly.
/// </summary>
public sealed class ForwardedPair : IDisposable
{
    private readonly InProcessServer _destination;
    private readonly WanLink _link;
    private readonly WriteForwarder _forwarder;
    private readonly InProcessServer _source;

    private ForwardedPair(LinkProfile profile, ILinkWitness? witness)
    {
        _destination = InProcessServer.Start();
        _link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, _destination.Port))],
            Profile = profile,
            Witness = witness,
        });
        _forwarder = WriteForwarder.Start(new IPEndPoint(IPAddress.Loopback, _link.PortOf()));
        _source = InProcessServer.Start(new InProcessServerOptions { WriteWitness = _forwarder });
    }

    /// <summary>Where to write, as users type it.</summary>
    public string Source => _source.Endpoint;

    /// <summary>Where to read.</summary>
    public string Destination => _destination.Endpoint;

    /// <summary>Starts both; they are joined when this returns.</summary>
    /// <param name="profile">What the line between them does; forward is from the source to the destination.</param>
    /// <param name="witness">Who is told what the line really did; null for nobody.</param>
    /// <exception cref="SocketException">This process may not listen on the loopback.</exception>
    public static ForwardedPair Start(LinkProfile profile, ILinkWitness? witness = null) => new(profile, witness);

    /// <summary>Ends all of it.</summary>
    public void Dispose()
    {
        _source.Dispose();
        _forwarder.Dispose();
        _link.Dispose();
        _destination.Dispose();
    }
}
