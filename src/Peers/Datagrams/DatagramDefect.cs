namespace RedisLatency.Peers.Datagrams;

/// <summary>Why a datagram is not what it was taken for, in the order in which it is looked at.</summary>
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
