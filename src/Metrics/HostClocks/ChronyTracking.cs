using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>
/// Asks chronyd how well it tracks, as chronyc does: on its UDP port for monitoring on the loopback interface and,
/// where that is closed, on its Unix socket, which only root and chrony's own user may use, and beside which a client's
/// own socket must lie.
/// </summary>
internal sealed class ChronyTracking(int port = 323, string socketFolder = "/run/chrony") : IDisposable
{
    private const string Absent = "chronyd is not running";

    private const UnixFileMode Writable = UnixFileMode.UserRead | UnixFileMode.UserWrite
        | UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead | UnixFileMode.OtherWrite;

    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(200);

    private uint _sequence = (uint)Random.Shared.Next();
    private Socket? _socket;

    public ChronyAnswer Ask()
    {
        try
        {
            var byPort = AskByPort();
            return byPort.Reply is null && AskByPath() is { } byPath ? byPath : byPort;
        }
        catch (Exception exception) when (exception is SocketException or PlatformNotSupportedException)
        {
            return new ChronyAnswer(null, $"chronyd cannot be asked: {exception.Message}");
        }
    }

    public void Dispose() => _socket?.Dispose();

    private ChronyAnswer AskByPort()
    {
        try
        {
            _socket ??= Connect();
            return Exchange(_socket);
        }
        catch (SocketException exception)
        {
            _socket?.Dispose();
            _socket = null;
            return new ChronyAnswer(null, exception.SocketErrorCode == SocketError.ConnectionRefused
                ? $"{Absent}, or has its UDP port {port} for monitoring closed"
                : $"{Absent}: {exception.Message}");
        }
    }

    private Socket Connect()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
        return socket;
    }

    // Null where this process may not ask there, or nobody listens.
    private ChronyAnswer? AskByPath()
    {
        var server = Path.Combine(socketFolder, "chronyd.sock");
        if (!OperatingSystem.IsLinux() || !File.Exists(server))
            return null;
        var client = Path.Combine(socketFolder, $"redislatency.{Environment.ProcessId}.{_sequence}.sock");
        try
        {
            using var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
            socket.Bind(new UnixDomainSocketEndPoint(client));
            // chronyd may run as another user than this process; the folder is what guards the sockets in it.
            File.SetUnixFileMode(client, Writable);
            socket.Connect(new UnixDomainSocketEndPoint(server));
            return Exchange(socket);
        }
        catch (Exception exception) when (exception
            is SocketException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
        finally
        {
            Remove(client);
        }
    }

    private ChronyAnswer Exchange(Socket socket)
    {
        Span<byte> packet = stackalloc byte[512];
        var sequence = ++_sequence;
        ChronyReply.WriteRequest(packet, sequence);
        socket.Send(packet[..ChronyReply.RequestLength]);
        var asked = Stopwatch.GetTimestamp();
        while (Patience - Stopwatch.GetElapsedTime(asked) is var left && left > TimeSpan.Zero)
        {
            // Socket.Poll hides that the port is closed.
            socket.ReceiveTimeout = (int)Math.Ceiling(left.TotalMilliseconds);
            int length;
            try
            {
                length = socket.Receive(packet);
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.TimedOut)
            {
                break;
            }

            if (ChronyReply.Read(packet[..length], sequence) is { } reply)
                return new ChronyAnswer(reply, null);
        }

        return new ChronyAnswer(null, "chronyd gave no answer that can be read");
    }

    private static void Remove(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It was never made.
        }
    }
}

internal readonly record struct ChronyAnswer(ChronyReply? Reply, string? Failure);
