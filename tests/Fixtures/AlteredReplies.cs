using System.Net;
using System.Net.Sockets;
using System.Text;

namespace RedisLatency.Fixtures;

/// <summary>A server that executes all that it is asked, and answers otherwise: a real one behind a relay.</summary>
public static class AlteredReplies
{
    /// <param name="server">Who executes.</param>
    /// <param name="command">From one of these on, on a connection, replies are altered.</param>
    /// <param name="alter">What becomes of what one receive brings.</param>
    /// <param name="from">
    /// From which: beyond those by which a client looks at its server, and no more than a busy machine asks in a run.
    /// </param>
    public static FakeServer Of(
        RedisServerProcess server, string command, Func<string, string> alter, int from = 20) =>
        FakeServer.Start((client, _) =>
        {
            var asked = 0;
            Relay(
                client, server,
                text =>
                {
                    asked += text.Split($"\r\n{command}\r\n").Length - 1;
                    return text;
                },
                text => Volatile.Read(ref asked) < from ? text : alter(text));
        });

    public static FakeServer Of(RedisServerProcess server, Func<string, string> alter) =>
        FakeServer.Start((client, _) => Relay(client, server, text => text, alter));

    /// <summary>An address at which another server may answer at any time: whoever is connected stays where he is.</summary>
    public static FakeServer At(Func<RedisServerProcess> server) =>
        FakeServer.Start((client, _) => Relay(client, server(), text => text, text => text));

    /// <summary>
    /// A network in which what those send who are connected can be kept back, and comes later, whoever has left.
    /// </summary>
    public static FakeServer Late(RedisServerProcess server, LateLink link) => FakeServer.Start((client, number) =>
    {
        link.Connected(number);
        Relay(client, server, text => link.Deliver(number, text), text => text);
    });

    /// <summary>A server that never hears of requests that begin so.</summary>
    public static FakeServer Swallowing(RedisServerProcess server, string start) => FakeServer.Start((client, _) =>
        Relay(client, server, text => text.Contains(start) ? string.Empty : text, text => text));

    /// <summary>A server that knows a command by another name only.</summary>
    public static FakeServer Calling(RedisServerProcess server, string command, string name) =>
        FakeServer.Start((client, _) => Relay(
            client, server,
            text => text.Replace(Word(command), Word("unknown"), StringComparison.OrdinalIgnoreCase)
                .Replace(Word(name), Word(command), StringComparison.OrdinalIgnoreCase),
            text => text));

    /// <summary>A server that closes the connection behind a reply that begins so.</summary>
    public static FakeServer Closing(RedisServerProcess server, string reply, Action closed) =>
        FakeServer.Start((client, _) => Relay(client, server, text => text, text =>
        {
            if (!text.StartsWith(reply, StringComparison.Ordinal))
                return text;
            FakeServer.Say(client, text);
            client.Shutdown(SocketShutdown.Both);
            closed();
            return string.Empty;
        }));

    /// <summary>A server that does not know a command.</summary>
    public static FakeServer Refusing(RedisServerProcess server, string command) =>
        FakeServer.Start((client, _) => Relay(
            client, server, text => text.Replace(Word(command), Word("unknown")), text => text));

    private static string Word(string text) => $"${text.Length}\r\n{text}\r\n";

    private static void Relay(
        Socket client, RedisServerProcess server, Func<string, string> forth, Func<string, string> back)
    {
        using var real = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        client.NoDelay = true;
        real.Connect(new IPEndPoint(IPAddress.Loopback, server.Port));
        var asking = Relay(client, real, forth);
        Relay(real, client, back).Join();
        asking.Join();
    }

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

/// <summary>Keeps back what connections of before send.</summary>
public sealed class LateLink : IDisposable
{
    private readonly ManualResetEventSlim _open = new(initialState: true);
    private int _connections;
    private int _late;
    private int _delivered;

    public int Connections => Volatile.Read(ref _connections);

    public int Delivered => Volatile.Read(ref _delivered);

    public void Connected(int number) => Volatile.Write(ref _connections, number + 1);

    public void Hold()
    {
        _open.Reset();
        Volatile.Write(ref _late, Connections);
    }

    public void Release() => _open.Set();

    public string Deliver(int number, string text)
    {
        if (number >= Volatile.Read(ref _late))
            return text;
        _open.Wait();
        Interlocked.Increment(ref _delivered);
        return text;
    }

    public void Dispose() => _open.Dispose();
}
