namespace RedisLatency.Redis;

/// <summary>Anything that goes wrong between this process and a Redis server.</summary>
public abstract class RedisException(string message, Exception? innerException = null)
    : Exception(message, innerException)
{
    /// <summary>
    /// Whether trying again, later or on a new connection, may succeed without anybody changing anything.
    /// This is the one place that decides it.
    /// </summary>
    public bool IsTransient => this switch
    {
        RedisServerException server => server.Code is "LOADING" or "BUSY" or "TRYAGAIN" or "CLUSTERDOWN"
            or "MASTERDOWN" or "NOMASTERLINK" or "NOREPLICAS" or "READONLY" or "UNBLOCKED",
        RedisConnectionLostException or RedisTimeoutException => true,
        RedisConnectException connect => connect.Reason is ConnectFailure.Refused or ConnectFailure.Unreachable
            or ConnectFailure.TimedOut or ConnectFailure.ClosedByServer or ConnectFailure.NameNotFound
            or ConnectFailure.NoFittingServer,
        _ => false,
    };

    /// <summary>
    /// Whether a connection that was open before is tried for again: what may pass by itself, and certificates, which
    /// are renewed at one end before the other.
    /// </summary>
    public bool MayPassAtReconnect => IsTransient || this is RedisConnectException
    {
        Reason: ConnectFailure.CertificateUntrusted or ConnectFailure.CertificateNameMismatch
            or ConnectFailure.ClientCertificateRefused,
    };
}

/// <summary>A connection could not be opened. The message names the endpoint, never a password.</summary>
public sealed class RedisConnectException(ConnectFailure reason, string message, Exception? innerException = null)
    : RedisException(message, innerException)
{
    /// <summary>Why.</summary>
    public ConnectFailure Reason { get; } = reason;
}

/// <summary>An open connection ended: the server closed it, or the network did.</summary>
public sealed class RedisConnectionLostException(string message, Exception? innerException = null)
    : RedisException(message, innerException);

/// <summary>The server answered with an error.</summary>
/// <param name="reply">The error as it came, without the leading minus: <c>WRONGPASS invalid username…</c>.</param>
/// <param name="explanation">The message, where the reply alone would not help the user.</param>
public sealed class RedisServerException(string reply, string? explanation = null)
    : RedisException(explanation ?? reply)
{
    /// <summary>The error as it came, without the leading minus.</summary>
    public string Reply { get; } = reply;

    /// <summary>
    /// The error's first word, by which errors are counted: <c>ERR</c>, <c>NOAUTH</c>, <c>LOADING</c>.
    /// </summary>
    public string Code { get; } = reply.IndexOf(' ') is var end and >= 0 ? reply[..end] : reply;
}

/// <summary>A reply did not come within its time limit; the connection cannot be used any more.</summary>
public sealed class RedisTimeoutException(string message) : RedisException(message);

/// <summary>
/// What came is not RESP, or exceeds the bounds on depth or size; the connection cannot be used any more.
/// </summary>
public sealed class RedisProtocolException(string message) : RedisException(message);

/// <summary>Why a connection could not be opened.</summary>
public enum ConnectFailure
{
    /// <summary>Nobody listens there.</summary>
    Refused,

    /// <summary>No route, or the network is down.</summary>
    Unreachable,

    /// <summary>The name has no address.</summary>
    NameNotFound,

    /// <summary>The connect time limit passed.</summary>
    TimedOut,

    /// <summary>The server closed the connection before it answered.</summary>
    ClosedByServer,

    /// <summary>The server's certificate is not trusted: unknown authority, expired, or not yet valid.</summary>
    CertificateUntrusted,

    /// <summary>The server's certificate names another host.</summary>
    CertificateNameMismatch,

    /// <summary>The server wants a client certificate, or refused the one it was shown.</summary>
    ClientCertificateRefused,

    /// <summary>TLS was spoken to a server that does not speak it.</summary>
    TlsAgainstPlain,

    /// <summary>Plain text was spoken to a server that wants TLS.</summary>
    PlainAgainstTls,

    /// <summary>User or password are wrong, or missing.</summary>
    AuthenticationFailed,

    /// <summary>The user may not do what the connection is for.</summary>
    NotPermitted,

    /// <summary>The server refused the connection with an error of its own.</summary>
    RefusedByServer,

    /// <summary>This process may have no more open files, and every socket is one.</summary>
    TooManyOpenFiles,

    /// <summary>No Sentinel knows the service.</summary>
    ServiceUnknown,

    /// <summary>
    /// Sentinels answer, but no server is what is looked for: the one they name as primary is none, or is gone.
    /// </summary>
    NoFittingServer,
}
