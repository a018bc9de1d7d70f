using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Fixtures;

/// <summary>A loopback port that nobody listens on at the moment of asking.</summary>
public static class FreePort
{
    public static int Next()
    {
        using var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port;
    }
}
