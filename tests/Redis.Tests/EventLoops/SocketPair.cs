using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Redis.Tests.EventLoops;

/// <summary>Two connected sockets on the loopback.</summary>
internal sealed class SocketPair : IDisposable
{
    public SocketPair()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Near = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        Near.Connect(listener.LocalEndPoint!);
        Far = listener.Accept();
        Far.NoDelay = true;
    }

    public Socket Near { get; }

    public Socket Far { get; }

    public void Dispose()
    {
        Near.Dispose();
        Far.Dispose();
    }
}
