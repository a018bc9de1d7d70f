using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Fixtures;

/// <summary>
/// A loopback port that nobody listens on, and that is the caller's until its process ends: no two test processes of a
/// machine are given the same one, and systems give none of these to outgoing connections. One of those, a client that
/// tries again and again to reach a server that is down, would otherwise take its port now and then.
/// </summary>
public static class FreePort
{
    private const int Least = 2_000;
    private const int BusDistance = 10_000;
    private const int LeastWithBus = 11_000;
    // Above begin the bus ports of those below.
    private const int MostWithBus = LeastWithBus + BusDistance;

    private static readonly string Claims =
        Directory.CreateDirectory(Path.Combine(Path.GetTempPath(), "redislatency-ports")).FullName;

    private static readonly List<FileStream> Claimed = [];

    /// <summary>One that was not handed out before: whoever has it may not listen on it yet.</summary>
    public static int Next() => Find(Least, LeastWithBus, port => IsFree(port));

    /// <summary>A port of which the cluster's bus port, 10000 above, is free too.</summary>
    public static int NextWithBus() =>
        Find(LeastWithBus, MostWithBus, port => IsFree(port) && IsFree(port + BusDistance));

    private static int Find(int least, int most, Func<int, bool> isFree)
    {
        while (true)
        {
            var port = Random.Shared.Next(least, most);
            if (TryClaim(port) is not { } claim)
                continue;
            if (isFree(port))
            {
                lock (Claimed)
                    Claimed.Add(claim);
                return port;
            }

            claim.Dispose();
        }
    }

    // The system lets go of the lock with the process, however that ends; the empty files stay for the next ones.
    private static FileStream? TryClaim(int port)
    {
        try
        {
            var file = Path.Combine(Claims, port.ToString(CultureInfo.InvariantCulture));
            return new FileStream(file, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 1);
        }
        catch (IOException)
        {
            return null;
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
