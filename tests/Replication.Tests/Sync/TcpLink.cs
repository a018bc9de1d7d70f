using System.Net;
using RedisLatency.Fixtures;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Sync;

/// <summary>A link to a server that can be slow, far, and cut off: it is when it is disposed of.</summary>
internal static class TcpLink
{
    public static WanLink Start(int port, RedisServerProcess to, LinkWay? back = null, LinkWay? forward = null)
    {
        var route = new LinkRoute(
            LinkProtocol.Tcp, new IPEndPoint(IPAddress.Loopback, port), new IPEndPoint(IPAddress.Loopback, to.Port));
        return WanLink.Start(new WanLinkOptions
        {
            Routes = [route],
            MaxBuffered = 64 << 10,
            Profile = new LinkProfile { Forward = forward ?? new LinkWay(), Back = back ?? new LinkWay() },
        });
    }
}
