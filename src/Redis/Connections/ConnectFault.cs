using System.Net.Sockets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

internal static class ConnectFault
{
    public static RedisConnectException TimedOut(
        RedisEndpoint endpoint, TimeSpan limit, string what, Exception? innerException = null) =>
        new(
            ConnectFailure.TimedOut,
            $"{endpoint}: {limit.TotalSeconds:0.###} s were not enough {what}; a firewall may drop the packets, or the "
            + "server does not answer",
            innerException);

    public static RedisConnectException From(RedisEndpoint endpoint, SocketError error)
    {
        var (reason, text) = error switch
        {
            SocketError.ConnectionRefused => (
                ConnectFailure.Refused,
                "nobody listens there (connection refused); is the server running, and is the port right?"),
            SocketError.TimedOut => (ConnectFailure.TimedOut, "the system gave up connecting"),
            SocketError.AddressNotAvailable when endpoint.SocketPath is not null => (
                ConnectFailure.Refused, "there is no such socket; the server's 'unixsocket' setting has its path"),
            SocketError.AccessDenied => (
                ConnectFailure.NotPermitted, "this user may not connect there (permission denied)"),
            SocketError.TooManyOpenSockets => (
                ConnectFailure.TooManyOpenFiles,
                "this process may have no more open files, and every connection is one; ulimit -n raises the limit"),
            _ => (ConnectFailure.Unreachable, new SocketException((int)error).Message),
        };
        return new RedisConnectException(reason, $"{endpoint}: {text}", new SocketException((int)error));
    }

    public static RedisConnectException Closed(RedisEndpoint endpoint, RedisConnectionLostException problem) =>
        new(
            ConnectFailure.ClosedByServer,
            $"{endpoint}: the server closed the connection before it answered; is it Redis that listens there?",
            problem);

    public static RedisConnectException PlainAgainstTls(RedisEndpoint endpoint, Exception? innerException) =>
        new(
            ConnectFailure.PlainAgainstTls,
            $"{endpoint}: the server speaks TLS on this port; write rediss:// (or ssl=True)",
            innerException);

    public static RedisConnectException NotRedis(RedisEndpoint endpoint, RedisProtocolException problem) =>
        new(ConnectFailure.RefusedByServer, $"{endpoint}: {problem.Message}", problem);

    /// <summary>Why there is no connection, or the server's own error where it says that it will pass.</summary>
    public static RedisException FromReply(RedisEndpoint endpoint, string command, RedisServerException reply)
    {
        if (reply.IsTransient)
            return NotReady(endpoint, reply);
        var (reason, hint) = reply.Code switch
        {
            "WRONGPASS" => (ConnectFailure.AuthenticationFailed, "the user or the password is wrong"),
            "NOAUTH" => (ConnectFailure.AuthenticationFailed, MissingPassword),
            "NOPERM" => (
                ConnectFailure.NotPermitted,
                $"the user may not do what a connection needs; to allow it: "
                + AclLine.For(endpoint.User, $"+{command.ToLowerInvariant()}")),
            "DENIED" => (
                ConnectFailure.RefusedByServer,
                "the server is in protected mode: give it a password, bind it to an address, or, where everybody who "
                + "reaches it may use it, CONFIG SET protected-mode no"),
            _ when reply.Message.StartsWith("ERR max number of clients", StringComparison.Ordinal) => (
                ConnectFailure.RefusedByServer, "the server has as many clients as its 'maxclients' allows"),
            _ when command == "AUTH" => (
                ConnectFailure.AuthenticationFailed, "the server does not take this user and password"),
            _ => (ConnectFailure.RefusedByServer, $"the server refused {command}"),
        };
        return new RedisConnectException(reason, $"{endpoint}: {hint} (the server says: {reply.Message})", reply);
    }

    /// <summary>Why a question is not answered, or the server's own error where it says that it will pass.</summary>
    public static RedisException Refused(RedisEndpoint endpoint, RespValue reply, string notPermitted, string otherwise)
    {
        var error = new RedisServerException(reply.Text);
        if (error.IsTransient)
            return error;
        var (reason, hint) = error.Code == "NOPERM"
            ? (ConnectFailure.NotPermitted, notPermitted)
            : (ConnectFailure.RefusedByServer, otherwise);
        return new RedisConnectException(reason, $"{endpoint}: {hint} (the server says: {error.Message})", error);
    }

    private static RedisServerException NotReady(RedisEndpoint endpoint, RedisServerException reply)
    {
        var hint = reply.Code == "LOADING" ? "the server is still loading its data" : "the server is not ready yet";
        return new RedisServerException(
            reply.Message, $"{endpoint}: {hint}; try again when it has come up (the server says: {reply.Message})");
    }

    private const string MissingPassword =
        "the server wants a password: redis://:password@host, REDISCLI_AUTH, or --password-file "
            + "(of a second endpoint --other-password-file)";
}
