namespace RedisLatency.Server.Links;

/// <summary>What a link really did to one chunk of bytes or one datagram: the truth of a test.</summary>
/// <param name="Route">Which of the link's routes, from zero.</param>
/// <param name="Connection">Which connection or, on UDP, which sender; from one over all routes.</param>
/// <param name="Direction">Which way.</param>
/// <param name="Bytes">How many.</param>
/// <param name="ArrivedNs">When the link read them, in nanoseconds of the host's monotonic clock.</param>
/// <param name="AskedNs">The delay that the profile asked for: delay and jitter, without rate, stalls, order.</param>
/// <param name="ReleasedNs">When the write of their last byte had returned; zero where they never came out.</param>
/// <param name="Fate">What became of them.</param>
public readonly record struct RelayedChunk(
    int Route,
    int Connection,
    LinkDirection Direction,
    int Bytes,
    long ArrivedNs,
    long AskedNs,
    long ReleasedNs,
    ChunkFate Fate)
{
    /// <summary>Whether they came out.</summary>
    public bool CameOut => ReleasedNs != 0;

    /// <summary>How long they really took.</summary>
    public long GivenNs => ReleasedNs - ArrivedNs;
}
