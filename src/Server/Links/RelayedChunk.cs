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

/// <summary>What became of bytes that went into a link.</summary>
public enum ChunkFate
{
    /// <summary>They came out.</summary>
    Delivered,

    /// <summary>A datagram came out after one that had gone in later.</summary>
    Overtaken,

    /// <summary>The second copy of a datagram that had come out before.</summary>
    Duplicate,

    /// <summary>A datagram was lost as the profile wanted.</summary>
    Lost,

    /// <summary>The way was cut, or the connection ended before they were due.</summary>
    Cut,

    /// <summary>A datagram found no room, in the link or in the kernel.</summary>
    Overflow,
}

/// <summary>Is told what a link really does.</summary>
public interface ILinkWitness
{
    /// <summary>Something came out, or never will. Called on the link's thread, which must not be kept.</summary>
    void Saw(in RelayedChunk chunk);
}
