namespace RedisLatency.Redis;

/// <summary>Anything that goes wrong between this process and a Redis server.</summary>
public abstract class RedisException(string message, Exception? innerException = null)
    : Exception(message, innerException)
{
    /// <summary>
    /// Whether trying again, later or on a new connection, may succeed without anybody changing anything.
    /// This is the one place that decides it; of an error reply <see cref="ErrorReply"/> does.
    /// </summary>
    public bool IsTransient => this switch
    {
        RedisServerException server => server.Kind.MayPass,
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
