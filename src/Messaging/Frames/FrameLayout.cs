using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Messaging.Frames;

/// <summary>
/// Where each field of a frame lies, in bytes from its start; numbers are little-endian. <c>docs/frame.md</c> is the
/// same table for those who write a consumer in another language.
/// </summary>
public static class FrameLayout
{
    /// <summary>The version of this layout, in byte 4.</summary>
    public const byte ProtocolVersion = 1;

    /// <summary>The length of the header in bytes; the payload follows it.</summary>
    public const int HeaderLength = 88;

    /// <summary>The largest payload in bytes.</summary>
    public const int MaxPayloadLength = 1 << 20;

    /// <summary>The highest sequence: 2^48.</summary>
    public const long MaxSequence = SequenceTracker.HighestNumber;

    internal const int VersionOffset = 4;
    internal const int KindOffset = 5;
    internal const int FlagsOffset = 6;
    internal const int HeaderLengthOffset = 8;
    internal const int StreamOffset = 10;
    internal const int PayloadLengthOffset = 12;
    internal const int RunOffset = 16;
    internal const int ProducerOffset = 24;
    internal const int SequenceOffset = 32;
    internal const int IntendedOffset = 40;
    internal const int SentOffset = 48;

    /// <summary>CRC-32C of the payload, then of the bytes before this one.</summary>
    internal const int ChecksumOffset = 56;

    /// <summary>CRC-32C of the bytes that the consumer writes; zero until it has.</summary>
    internal const int EchoChecksumOffset = 60;

    internal const int ReceivedOffset = 64;
    internal const int EchoedOffset = 72;
    internal const int EchoInstanceOffset = 80;

    /// <summary>The first bytes of every frame: never the start of a decimal number.</summary>
    internal static ReadOnlySpan<byte> Magic => "RLAT"u8;
}
