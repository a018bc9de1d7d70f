namespace RedisLatency.Peers.Datagrams;

/// <summary>Which way a datagram goes; the number travels in byte 5.</summary>
internal enum ProbeKind : byte
{
    Question = 1,

    Answer = 2,
}
