using System.Net;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Server.Links;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>A link to a server that can be slow, far, and cut off: it is when it is disposed of.</summary>
internal static class TcpLink
{
    // A process that another test starts just then has the last one's socket until it is its own program.
    private const int MostTries = 100;
    private const int BetweenTries = 20;

    public static WanLink Start(int port, RedisServerProcess to, LinkSettings? back = null, LinkSettings? forward = null)
    {
        var route = new LinkRoute(
            LinkProtocol.Tcp, new IPEndPoint(IPAddress.Loopback, port), new IPEndPoint(IPAddress.Loopback, to.Port));
        var options = new WanLinkOptions
        {
            Routes = [route],
            MaxBuffered = 64 << 10,
            Profile = new LinkProfile { Forward = forward ?? new LinkSettings(), Back = back ?? new LinkSettings() },
        };
        for (var tries = 0; ; tries++)
        {
            try
            {
                return WanLink.Start(options);
            }
            catch (SocketException failure) when (
                failure.SocketErrorCode == SocketError.AddressAlreadyInUse && tries < MostTries)
            {
                TestContext.Current.CancellationToken.WaitHandle.WaitOne(BetweenTries);
            }
        }
    }
}
