namespace RedisLatency.Peers.Datagrams;

/// <summary>Why a datagram is refused, in the order of the checks.</summary>
internal enum DatagramDefect
{
    None,

    WrongSize,

    /// <summary>It is not of this protocol, of another run, or goes the other way.</summary>
    Foreign,

    OtherVersion,

    ForAnother,

    Unauthenticated,
}
