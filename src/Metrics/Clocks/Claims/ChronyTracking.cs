using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace RedisLatency.Metrics.Clocks.Claims;

/// <summary>
/// Asks chronyd how well it tracks, as chronyc does: on its Unix socket where this process may, and on its UDP port
/// for monitoring on the loopback interface.
/// </summary>
/// <param name="port">Where it answers on the loopback interface.</param>
/// <param name="socketFolder">The folder of <c>chronyd.sock</c>, where a client's own socket must lie too.</param>
/// <param name="patience">How long to wait for an answer; a fifth of a second by default.</param>
internal sealed class ChronyTracking(
    int port = 323, string socketFolder = "/run/chrony", TimeSpan? patience = null)
{
    private const string Absent = "chronyd is not running";

    private readonly TimeSpan _patience = patience ?? TimeSpan.FromMilliseconds(200);
    private uint _sequence = (uint)Random.Shared.Next();

    public ChronyAnswer Ask()
    {
        try
        {
            var byPath = AskByPath();
            return byPath.Reply is not null ? byPath : AskByPort();
        }
        catch (Exception exception) when (exception is SocketException or PlatformNotSupportedException)
        {
            return new ChronyAnswer(null, $"chronyd cannot be asked: {exception.Message}");
        }
    }

    private ChronyAnswer AskByPort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
            return Exchange(socket);
        }
        catch (SocketException exception) when (exception.SocketErrorCode
            is SocketError.ConnectionRefused or SocketError.ConnectionReset)
        {
            return new ChronyAnswer(null, $"{Absent}, or does not answer on UDP port {port} (cmdport 0)");
        }
    }

    private ChronyAnswer AskByPath()
    {
        var server = Path.Combine(socketFolder, "chronyd.sock");
        if (!OperatingSystem.IsLinux() || !File.Exists(server))
            return new ChronyAnswer(null, Absent);
        var client = Path.Combine(socketFolder, $"redislatency.{Environment.ProcessId}.{_sequence}.sock");
        try
        {
            using var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
            socket.Bind(new UnixDomainSocketEndPoint(client));
            // chronyd may run as another user; the folder is what guards the socket.
            File.SetUnixFileMode(client, (UnixFileMode)0b110_110_110);
            socket.Connect(new UnixDomainSocketEndPoint(server));
            return Exchange(socket);
        }
        catch (Exception exception) when (exception
            is SocketException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Only root and chrony's own user may: the port is for the others.
            return new ChronyAnswer(null, exception.Message);
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
        while (_patience - Stopwatch.GetElapsedTime(asked) is var left && left > TimeSpan.Zero)
        {
            if (!socket.Poll(left, SelectMode.SelectRead))
                break;
            var length = socket.Receive(packet);
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
