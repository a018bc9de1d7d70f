namespace RedisLatency.Peers.Datagrams;

/// <summary>Which way a datagram goes; the number travels in byte 5.</summary>
internal enum ProbeKind : byte
{
    /// <summary>Somebody asks what time it is here.</summary>
    Question = 1,

    /// <summary>The answer.</summary>
    Answer = 2,
}
