using System.Net;

namespace RedisLatency.Server.Links;

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
