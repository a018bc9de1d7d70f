using System.Net;
using System.Net.Sockets;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Tests.Wire;

/// <summary>A client that sees the bytes themselves. Reads wait ten seconds at most.</summary>
internal sealed class WireClient : IDisposable
{
    private const string Mark = "that-was-all";
    private static readonly string[] Ends =
    [
        $"*2\r\n$4\r\npong\r\n${Mark.Length}\r\n{Mark}\r\n",
        $"${Mark.Length}\r\n{Mark}\r\n",
    ];

    private readonly Socket _socket;
    private readonly byte[] _buffer = new byte[64 * 1024];

    private WireClient(Socket socket)
    {
        _socket = socket;
        _socket.ReceiveTimeout = 10_000;
        _socket.SendTimeout = 10_000;
    }

    public static WireClient Connect(int port, int receiveBuffer = 0)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        if (receiveBuffer > 0)
            socket.ReceiveBufferSize = receiveBuffer;
        socket.Connect(IPAddress.Loopback, port);
        return new WireClient(socket);
    }

    public static WireClient Connect(string path)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect(new UnixDomainSocketEndPoint(path));
        return new WireClient(socket);
    }

    public static byte[] Request(params ReadOnlySpan<string> words)
    {
        var writer = new RespWriter();
        writer.WriteRequest(words);
        return writer.Written.ToArray();
    }

    public void Send(params ReadOnlySpan<string> words) => _socket.Send(Request(words));

    public void SendRaw(ReadOnlySpan<byte> bytes) => _socket.Send(bytes);

    /// <summary>Sends a command and returns everything that it is answered, however many frames that be.</summary>
    public string Exchange(params ReadOnlySpan<string> words)
    {
        _socket.Send((byte[])[.. Request(words), .. Request("PING", Mark)]);
        var received = new StringBuilder();
        while (true)
        {
            if (ReceiveOnce() is not { Length: > 0 } more)
                return received.ToString();
            received.Append(more);
            var text = received.ToString();
            if (Ends.FirstOrDefault(end => text.EndsWith(end, StringComparison.Ordinal)) is { } end)
                return text[..^end.Length];
        }
    }

    /// <summary>Sends a command and returns as many bytes as are expected, to be compared with them.</summary>
    public string Ask(string expected, params ReadOnlySpan<string> words)
    {
        Send(words);
        return Receive(expected.Length);
    }

    /// <summary>Reads so many bytes, fewer only where the connection ends.</summary>
    public string Receive(int count)
    {
        var received = new StringBuilder();
        while (received.Length < count)
        {
            var room = Math.Min(count - received.Length, _buffer.Length);
            var read = _socket.Receive(_buffer, room, SocketFlags.None);
            if (read == 0)
                break;
            received.Append(Encoding.Latin1.GetString(_buffer, 0, read));
        }

        return received.ToString();
    }

    /// <summary>Reads until the server closes the connection, in whichever way.</summary>
    public string ReceiveToEnd()
    {
        var received = new StringBuilder();
        while (ReceiveOnce() is { Length: > 0 } more)
            received.Append(more);
        return received.ToString();
    }

    /// <summary>Whether something has arrived that was not read.</summary>
    public bool HasMore => _socket.Available > 0;

    public void Dispose() => _socket.Dispose();

    private string ReceiveOnce()
    {
        try
        {
            return Encoding.Latin1.GetString(_buffer, 0, _socket.Receive(_buffer));
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionReset)
        {
            return string.Empty;
        }
    }
}
