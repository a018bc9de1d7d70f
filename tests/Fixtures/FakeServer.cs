using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;

namespace RedisLatency.Fixtures;

/// <summary>
/// A server on a free loopback port whose every connection is played by a script on a thread of its own.
/// </summary>
public sealed class FakeServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

    private FakeServer(Action<Socket, int> script)
    {
        _listener.Start();
        new Thread(() => Accept(script)) { IsBackground = true, Name = "fake-server" }.Start();
    }

    public string Uri => $"redis://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

    /// <param name="script">
    /// Plays a connection; gets its number from 0. The connection is closed when it returns.
    /// </param>
    public static FakeServer Start(Action<Socket, int> script) => new(script);

    /// <summary>A server that says one thing to whoever connects, and closes.</summary>
    public static FakeServer Saying(string text) => Start((client, _) =>
    {
        Say(client, text);
        client.Shutdown(SocketShutdown.Send);
        Await(client);
    });

    /// <summary>
    /// A server that answers every request, in turn, with the next of the replies, and then is silent.
    /// </summary>
    public static FakeServer Answering(params string[] replies) => Start((client, _) => Answer(client, replies));

    /// <summary>Answers requests with the replies, then listens in silence until the client leaves.</summary>
    public static void Answer(Socket client, params string[] replies)
    {
        AnswerOnce(client, replies);
        while (Await(client))
        {
        }
    }

    /// <summary>Answers requests with the replies, and returns.</summary>
    public static void AnswerOnce(Socket client, params string[] replies)
    {
        foreach (var reply in replies)
        {
            if (!Await(client))
                return;
            Say(client, reply);
        }
    }

    public static void Say(Socket client, string text) => client.Send(Encoding.Latin1.GetBytes(text));

    /// <summary>
    /// Waits for a request: what one receive brings, which is a whole one for requests as small as these.
    /// </summary>
    public static bool Await(Socket client)
    {
        try
        {
            return client.Receive(new byte[64 << 10]) > 0;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    public void Dispose() => _listener.Dispose();

    private void Accept(Action<Socket, int> script)
    {
        try
        {
            for (var number = 0; ; number++)
            {
                var (client, mine) = (_listener.AcceptSocket(), number);
                new Thread(() => Play(script, client, mine)) { IsBackground = true }.Start();
            }
        }
        catch (Exception ended) when (ended is SocketException or ObjectDisposedException or InvalidOperationException)
        {
        }
    }

    private static void Play(Action<Socket, int> script, Socket client, int number)
    {
        using (client)
        {
            try
            {
                script(client, number);
            }
            catch (Exception lost) when (lost is SocketException or IOException or AuthenticationException)
            {
                // It went away, or is no client of the test: the port was another server's before.
            }
        }
    }
}
