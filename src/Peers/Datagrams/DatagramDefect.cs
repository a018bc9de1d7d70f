namespace RedisLatency.Peers.Datagrams;

/// <summary>Why a datagram is not what it was taken for, in the order in which it is looked at.</summary>
internal enum DatagramDefect
{
    None,

    WrongSize,

    /// <summary>It is not of this protocol, of another run, or goes the other way.</summary>
    Foreign,

    OtherVersion,

    /// <summary>It is for another member of the run: a shared channel brings everybody's.</summary>
    ForAnother,

    /// <summary>Whoever sent it does not have the run's key.</summary>
    Unauthenticated,
}
