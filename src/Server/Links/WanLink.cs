using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Server.Links;

/// <summary>
/// A long line on one machine: a relay of TCP connections and UDP datagrams in user space that holds everything for as
/// long as its profile says, each way by itself, and tells what it really did to each chunk. It is as exact as its
/// thread is punctual: what it tells, and not what it was asked for, is the truth of a test. A TCP connection is
/// accepted at once and opened at the far end at once; only what is sent through it, its end included, takes time.
/// </summary>
public sealed class WanLink : IDisposable
{
    private readonly LinkLoop _loop;

    private WanLink(WanLinkOptions options) => _loop = new LinkLoop(options);

    /// <summary>
    /// The moment from which stalls and cuts are counted, in nanoseconds of the host's monotonic clock.
    /// </summary>
    public long StartedNs => _loop.StartedNs;

    /// <summary>What ended the link before its time, or null.</summary>
    public Exception? Failure => _loop.Failure;

    /// <summary>Starts a link; it listens on all routes when this returns.</summary>
    /// <exception cref="SocketException">A port is taken, or not permitted.</exception>
    public static WanLink Start(WanLinkOptions options)
    {
        var link = new WanLink(options);
        link._loop.Start();
        return link;
    }

    /// <summary>The port on which a route is entered.</summary>
    /// <param name="route">Which of the routes, from zero.</param>
    public int PortOf(int route = 0) => _loop.PortOf(route);

    /// <summary>Where a route is entered.</summary>
    /// <param name="route">Which of the routes, from zero.</param>
    public IPEndPoint EntryOf(int route = 0) => new(_loop.Options.Routes[route].Listen.Address, PortOf(route));

    /// <summary>Resets every connection and ends the thread.</summary>
    public void Dispose() => _loop.Dispose();
}

/// <summary>Where a link is, what it does, and who is told.</summary>
public sealed class WanLinkOptions
{
    /// <summary>Where it is entered and where it leads; at least one.</summary>
    public required IReadOnlyList<LinkRoute> Routes { get; init; }

    /// <summary>What it does to what goes through.</summary>
    public LinkProfile Profile { get; init; } = new();

    /// <summary>Who is told what it really did; null for nobody.</summary>
    public ILinkWitness? Witness { get; init; }

    /// <summary>
    /// Runs first on the link's thread: for a caller that pins it, or has the kernel wake it precisely.
    /// </summary>
    public Action? ThreadStarted { get; init; }

    /// <summary>Bytes of one connection that may be inside, each way; when they are, its sender is not read.</summary>
    /// <value>The default is 4 MiB: 200 MB/s through 20 ms.</value>
    public int MaxBuffered { get; init; } = 4 << 20;
}

/// <summary>Where a link is entered and where it leads.</summary>
/// <param name="Protocol">What goes through.</param>
/// <param name="Listen">Where it is entered; port zero takes a free one, see <see cref="WanLink.PortOf"/>.</param>
/// <param name="To">Where it leads.</param>
public sealed record LinkRoute(LinkProtocol Protocol, IPEndPoint Listen, IPEndPoint To)
{
    /// <summary>A TCP route from a free loopback port.</summary>
    public static LinkRoute Tcp(IPEndPoint to) => new(LinkProtocol.Tcp, new IPEndPoint(IPAddress.Loopback, 0), to);

    /// <summary>A UDP route from a free loopback port.</summary>
    public static LinkRoute Udp(IPEndPoint to) => new(LinkProtocol.Udp, new IPEndPoint(IPAddress.Loopback, 0), to);
}

/// <summary>What a route of a link carries.</summary>
public enum LinkProtocol
{
    /// <summary>Connections: nothing is lost, and the order is kept.</summary>
    Tcp,

    /// <summary>Datagrams, which may be lost, doubled and overtaken.</summary>
    Udp,
}
