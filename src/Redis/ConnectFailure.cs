namespace RedisLatency.Redis;

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
