namespace RedisLatency.Messaging.Frames;

/// <summary>What is wrong with bytes that came on a channel of ours.</summary>
public enum FrameDefect
{
    /// <summary>Nothing: it is a frame.</summary>
    None,

    /// <summary>Not a frame at all: somebody else publishes here.</summary>
    Foreign,

    /// <summary>A frame of another protocol version.</summary>
    OtherVersion,

    /// <summary>A frame that is shorter or longer than it says, of an unknown kind or an impossible sequence.</summary>
    Malformed,

    /// <summary>A frame whose checksum does not hold.</summary>
    Corrupted,
}
