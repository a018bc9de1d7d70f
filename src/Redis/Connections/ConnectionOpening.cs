using System.Net.Sockets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Transports;

namespace RedisLatency.Redis.Connections;

/// <summary>Opens a connection from socket to login, and says in the user's terms why it could not.</summary>
internal static class ConnectionOpening
{
    private const int TcpLevel = 6;
    private const int UserTimeoutOption = 18;

    /// <summary>Whether the portable transport is asked for where a better one exists, to test it.</summary>
    private static readonly bool IsPortableForced =
        Environment.GetEnvironmentVariable("REDISLATENCY_PORTABLE") == "1";

    public static RedisConnection Open(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        var limit = endpoint.ConnectTimeout ?? options.ConnectTimeout;
        var deadline = TimestampSpan.FromNow(limit);
        var transport = OpenTransport(endpoint, options, limit, deadline);
        var connection = new RedisConnection(endpoint, options, transport) { ReplyDeadline = deadline };
        try
        {
            Login.Run(connection, options);
            connection.ReplyDeadline = long.MaxValue;
            return connection;
        }
        catch (RedisException problem)
        {
            connection.Dispose();
            throw Explain(connection, limit, problem);
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    private static Transport OpenTransport(
        RedisEndpoint endpoint, RedisConnectionOptions options, TimeSpan limit, long deadline)
    {
        var socket = SocketConnector.Connect(endpoint, limit, deadline);
        try
        {
            if (endpoint.SocketPath is null && options.IdleTimeout > TimeSpan.Zero)
                KeepAlive(socket, options.IdleTimeout);
            var sendTimeout = endpoint.CommandTimeout ?? options.CommandTimeout;
            return OperatingSystem.IsLinux() && !IsPortableForced
                ? new LinuxTransport(socket, endpoint.Address, options.BusyPoll) { SendTimeout = sendTimeout }
                : new PortableTransport(socket, endpoint.Address, options.BusyPoll) { SendTimeout = sendTimeout };
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static void KeepAlive(Socket socket, TimeSpan idle)
    {
        var seconds = Math.Max(1, (int)idle.TotalSeconds);
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, seconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, Math.Max(1, seconds / 3));
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, 3);
        // Keep-alive is not sent while data waits for its acknowledgement: this limits that wait.
        if (OperatingSystem.IsLinux())
            socket.SetRawSocketOption(TcpLevel, UserTimeoutOption, BitConverter.GetBytes(seconds * 2000));
    }

    private static RedisException Explain(RedisConnection connection, TimeSpan limit, RedisException problem)
    {
        var endpoint = connection.Endpoint;
        return problem switch
        {
            RedisProtocolException when connection.Reader.UnreadBytes is [0x15 or 0x16, 0x03, ..] =>
                ConnectFault.PlainAgainstTls(endpoint, problem),
            RedisProtocolException protocol => ConnectFault.NotRedis(endpoint, protocol),
            RedisTimeoutException => ConnectFault.TimedOut(endpoint, limit, "to log in", problem),
            RedisConnectionLostException lost => ConnectFault.Closed(endpoint, lost),
            _ => problem,
        };
    }
}
