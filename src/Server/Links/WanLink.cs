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
