using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

/// <summary>HELLO 3 with the login, else AUTH; then name, database and READONLY.</summary>
internal static class Login
{
    public static void Run(RedisConnection connection, RedisConnectionOptions options)
    {
        if (options.Protocol == RespPreference.Resp2 || !TryHello(connection, options.Protocol))
            Authenticate(connection);
        var name = connection.Endpoint.ClientName ?? options.ClientName;
        // A name is a courtesy to whoever reads CLIENT LIST: a server or a user without it does not matter.
        if (name.Length > 0)
            ThrowIfRefused(connection, "CLIENT", connection.Request("CLIENT", "SETNAME", name));
        if (connection.Endpoint.Database != 0)
        {
            var database = connection.Endpoint.Database.ToString(System.Globalization.CultureInfo.InvariantCulture);
            ThrowIfError(connection, "SELECT", connection.Request("SELECT", database));
        }

        if (options.ReadsReplica)
            ThrowIfError(connection, "READONLY", connection.Request("READONLY"));
    }

    private static bool TryHello(RedisConnection connection, RespPreference preference)
    {
        var endpoint = connection.Endpoint;
        var reply = HasLogin(endpoint)
            ? connection.Request("HELLO", "3", "AUTH", endpoint.User ?? AclLine.DefaultUser, PasswordOf(endpoint))
            : connection.Request("HELLO", "3");
        if (!reply.IsError)
        {
            connection.Protocol = 3;
            connection.Hello = reply;
            return true;
        }

        var error = Error(connection, reply);
        var mayBeOlder = error.Code is "NOPROTO" or "NOPERM"
            || (error.Code == "NOAUTH" && HasLogin(endpoint))
            || (error.Code == "ERR" && !error.Message.StartsWith("ERR max number", StringComparison.Ordinal));
        if (!mayBeOlder)
            throw ConnectFault.FromReply(endpoint, "HELLO", error);
        return preference == RespPreference.Auto
            ? false
            : throw new RedisConnectException(
                ConnectFailure.RefusedByServer,
                $"{endpoint}: the server does not speak RESP3, which was asked for (the server says: {error.Message})",
                error);
    }

    private static void Authenticate(RedisConnection connection)
    {
        var endpoint = connection.Endpoint;
        if (!HasLogin(endpoint))
            return;
        var reply = endpoint.User is { } user
            ? connection.Request("AUTH", user, PasswordOf(endpoint))
            : connection.Request("AUTH", PasswordOf(endpoint));
        ThrowIfError(connection, "AUTH", reply);
    }

    // A user without a password may be one who needs none (nopass); as nobody else may he be measured.
    private static bool HasLogin(RedisEndpoint endpoint) => endpoint.Password is not null || endpoint.User is not null;

    private static string PasswordOf(RedisEndpoint endpoint) => endpoint.Password?.Reveal() ?? string.Empty;

    private static void ThrowIfRefused(RedisConnection connection, string command, RespValue reply)
    {
        if (reply.IsError && Error(connection, reply) is { Code: not ("NOPERM" or "ERR") } error)
            throw ConnectFault.FromReply(connection.Endpoint, command, error);
        if (reply.IsError && reply.Text.StartsWith("ERR max number", StringComparison.Ordinal))
            ThrowIfError(connection, command, reply);
    }

    private static void ThrowIfError(RedisConnection connection, string command, RespValue reply)
    {
        if (reply.IsError)
            throw ConnectFault.FromReply(connection.Endpoint, command, Error(connection, reply));
    }

    // A server that does not know a command repeats its arguments: for HELLO and AUTH that is the password.
    private static RedisServerException Error(RedisConnection connection, RespValue reply)
    {
        var text = reply.Text;
        var arguments = text.IndexOf("with args beginning with", StringComparison.OrdinalIgnoreCase);
        if (arguments >= 0)
            text = text[..arguments].TrimEnd(' ', ',');
        if (connection.Endpoint.Password is { } password)
            text = text.Replace(password.Reveal(), "***", StringComparison.Ordinal);
        return new RedisServerException(text);
    }
}
