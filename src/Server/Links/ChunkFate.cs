namespace RedisLatency.Server.Links;

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
