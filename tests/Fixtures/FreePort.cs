using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Fixtures;

/// <summary>A loopback port that nobody listens on at the moment of asking.</summary>
public static class FreePort
{
    private const int BusDistance = 10_000;
    private const int LeastWithBus = 11_000;
    private const int MostWithBus = 22_000;

    private static readonly HashSet<int> HandedOut = [];

    /// <summary>One that was not handed out before: whoever has it may not listen on it yet.</summary>
    public static int Next()
    {
        while (true)
        {
            using var probe = new TcpListener(IPAddress.Loopback, 0);
            probe.Start();
            var port = ((IPEndPoint)probe.LocalEndpoint).Port;
            lock (HandedOut)
            {
                if (HandedOut.Add(port))
                    return port;
            }
        }
    }

    /// <summary>
    /// A port of which the cluster's bus port, 10000 above, is free too. Both lie below the ports that systems give to
    /// outgoing connections, so that none of these comes between asking and listening; none is handed out twice.
    /// </summary>
    public static int NextWithBus()
    {
        while (true)
        {
            var port = Random.Shared.Next(LeastWithBus, MostWithBus);
            lock (HandedOut)
            {
                if (HandedOut.Contains(port) || !IsFree(port) || !IsFree(port + BusDistance))
                    continue;
                HandedOut.Add(port);
                return port;
            }
        }
    }

    private static bool IsFree(int port)
    {
        using var probe = new TcpListener(IPAddress.Loopback, port);
        try
        {
            probe.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
