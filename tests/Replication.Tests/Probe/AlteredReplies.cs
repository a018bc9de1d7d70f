using System.Net;
using System.Net.Sockets;
using System.Text;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A server that executes all that it is asked, and answers otherwise: a real one behind a relay.</summary>
internal static class AlteredReplies
{
    /// <param name="server">Who executes.</param>
    /// <param name="command">From its twentieth on, on a connection, replies are altered.</param>
    /// <param name="alter">What becomes of what one receive brings.</param>
    public static FakeServer Of(RedisServerProcess server, string command, Func<string, string> alter) =>
        FakeServer.Start((client, _) =>
        {
            using var real = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            client.NoDelay = true;
            real.Connect(new IPEndPoint(IPAddress.Loopback, server.Port));
            var asked = 0;
            var forth = Relay(client, real, text =>
            {
                asked += text.Split($"\r\n{command}\r\n").Length - 1;
                return text;
            });
            var back = Relay(real, client, text => Volatile.Read(ref asked) < 20 ? text : alter(text));
            forth.Join();
            back.Join();
        });

    private static Thread Relay(Socket from, Socket to, Func<string, string> alter)
    {
        var thread = new Thread(() =>
        {
            var buffer = new byte[64 << 10];
            try
            {
                while (from.Receive(buffer) is > 0 and var count)
                    to.Send(Encoding.Latin1.GetBytes(alter(Encoding.Latin1.GetString(buffer, 0, count))));
                to.Shutdown(SocketShutdown.Send);
            }
            catch (SocketException)
            {
                // One of the two has left.
            }
            catch (ObjectDisposedException)
            {
                // So has the test.
            }
        })
        { IsBackground = true };
        thread.Start();
        return thread;
    }
}
