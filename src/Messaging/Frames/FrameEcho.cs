using System.Buffers.Binary;

namespace RedisLatency.Messaging.Frames;

/// <summary>Turns a frame that came into the frame that goes back: only the consumer's fields change.</summary>
public static class FrameEcho
{
    /// <summary>Stamps the echo.</summary>
    /// <param name="frame">The frame as it came, whole; changed in place.</param>
    /// <param name="instance">The echoing consumer; not 0.</param>
    /// <param name="received">When this process had it, in nanoseconds of its monotonic clock.</param>
    /// <param name="echoed">Now, in nanoseconds of the same clock.</param>
    public static void Stamp(Span<byte> frame, ulong instance, long received, long echoed)
    {
        BinaryPrimitives.WriteInt64LittleEndian(frame[FrameLayout.ReceivedOffset..], received);
        BinaryPrimitives.WriteInt64LittleEndian(frame[FrameLayout.EchoedOffset..], echoed);
        BinaryPrimitives.WriteUInt64LittleEndian(frame[FrameLayout.EchoInstanceOffset..], instance);
        var checksum = FrameChecksum.Compute(frame[FrameLayout.ReceivedOffset..FrameLayout.HeaderLength]);
        BinaryPrimitives.WriteUInt32LittleEndian(frame[FrameLayout.EchoChecksumOffset..], checksum);
    }
}
