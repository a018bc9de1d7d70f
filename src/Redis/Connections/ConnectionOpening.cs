using System.Diagnostics;
using System.Net.Sockets;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Connections;

/// <summary>Opens a connection from socket to login, and says in the user's terms why it could not.</summary>
internal static class ConnectionOpening
{
    private const int TcpLevel = 6;
    private const int UserTimeoutOption = 18;

    private static readonly TimeSpan ProbeLimit = TimeSpan.FromSeconds(1);

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
            connection.Reader.Limits = options.ReplyLimits;
            return connection;
        }
        catch (RedisException problem)
        {
            connection.Dispose();
            throw Explain(connection, options, limit, problem);
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
        var transport = OpenSocket(endpoint, options, limit, deadline);
        return endpoint.UseTls
            ? new TlsHandshake(endpoint, limit, deadline, () => SpeaksPlain(endpoint, options)).Run(transport)
            : transport;
    }

    private static Transport OpenSocket(
        RedisEndpoint endpoint, RedisConnectionOptions options, TimeSpan limit, long deadline)
    {
        var socket = SocketConnector.Connect(endpoint, limit, deadline);
        try
        {
            if (endpoint.SocketPath is null && options.IdleTimeout > TimeSpan.Zero)
                KeepAlive(socket, options.IdleTimeout);
            var sendTimeout = endpoint.CommandTimeout ?? options.CommandTimeout;
            return !options.IsPortable
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

    private static RedisException Explain(
        RedisConnection connection, RedisConnectionOptions options, TimeSpan limit, RedisException problem)
    {
        var endpoint = connection.Endpoint;
        return problem switch
        {
            RedisProtocolException when connection.Reader.UnreadBytes is [0x15 or 0x16, 0x03, ..] =>
                ConnectFault.PlainAgainstTls(endpoint, problem),
            RedisProtocolException protocol => ConnectFault.NotRedis(endpoint, protocol),
            RedisTimeoutException => ConnectFault.TimedOut(
                endpoint,
                TimeSpan.FromTicks(Math.Min(limit.Ticks, (endpoint.CommandTimeout ?? options.CommandTimeout).Ticks)),
                "to log in",
                problem),
            // With TLS 1.3 the client has finished its handshake before the server judges the client's certificate.
            RedisConnectionLostException when endpoint.UseTls
                && TlsAlert.In(problem) is { IsAboutClientCertificate: true } =>
                TlsHandshake.RefusedCertificate(endpoint, problem),
            RedisConnectionLostException when !connection.HasHeardFromServer && SpeaksTls(endpoint, options) =>
                ConnectFault.PlainAgainstTls(endpoint, problem),
            RedisConnectionLostException lost => ConnectFault.Closed(endpoint, lost),
            _ => problem,
        };
    }

    /// <summary>
    /// Looks whether a server that hung up on plain text answers TLS: OpenSSL closes without a word when the first
    /// bytes are no handshake.
    /// </summary>
    private static bool SpeaksTls(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        if (endpoint.UseTls || endpoint.SocketPath is not null)
            return false;
        try
        {
            using var transport = OpenSocket(endpoint, options, ProbeLimit, TimestampSpan.FromNow(ProbeLimit));
            return TlsHandshake.IsAnswered(transport, endpoint.Host, TimestampSpan.FromNow(ProbeLimit));
        }
        catch (RedisException)
        {
            return false;
        }
    }

    private static bool SpeaksPlain(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        try
        {
            var deadline = TimestampSpan.FromNow(ProbeLimit);
            using var transport = OpenSocket(endpoint, options, ProbeLimit, deadline);
            transport.Send("PING\r\n"u8);
            Span<byte> answer = stackalloc byte[64];
            var count = 0;
            while (count == 0 && Stopwatch.GetTimestamp() < deadline)
                count = transport.Receive(answer, deadline);
            return count > 0 && answer[0] is (byte)'+' or (byte)'-';
        }
        catch (RedisException)
        {
            return false;
        }
    }
}
