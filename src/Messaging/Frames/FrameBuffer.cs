using System.Buffers.Binary;

namespace RedisLatency.Messaging.Frames;

/// <summary>
/// A producer's outgoing frame: everything that does not change is written once, the rest is stamped in place.
/// </summary>
public sealed class FrameBuffer
{
    private readonly byte[] _bytes;
    private int _length;
    private uint _payloadState;

    /// <summary>Makes the frame of one stream.</summary>
    /// <param name="run">The run's number.</param>
    /// <param name="producer">The producing process.</param>
    /// <param name="stream">Which of its parallel streams.</param>
    /// <param name="maxPayloadLength">The longest payload in bytes that it will carry.</param>
    public FrameBuffer(ulong run, ulong producer, int stream, int maxPayloadLength)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(maxPayloadLength, FrameLayout.MaxPayloadLength);
        _bytes = GC.AllocateArray<byte>(FrameLayout.HeaderLength + maxPayloadLength, pinned: true);
        FrameLayout.Magic.CopyTo(_bytes);
        _bytes[FrameLayout.VersionOffset] = FrameLayout.ProtocolVersion;
        BinaryPrimitives.WriteUInt16LittleEndian(At(FrameLayout.HeaderLengthOffset), FrameLayout.HeaderLength);
        BinaryPrimitives.WriteUInt16LittleEndian(At(FrameLayout.StreamOffset), checked((ushort)stream));
        BinaryPrimitives.WriteUInt64LittleEndian(At(FrameLayout.RunOffset), run);
        BinaryPrimitives.WriteUInt64LittleEndian(At(FrameLayout.ProducerOffset), producer);
        SetPayload([]);
    }

    /// <summary>The frame as it was last stamped.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>Sets the payload; its checksum is taken here, so that stamping costs the same at every size.</summary>
    public void SetPayload(ReadOnlySpan<byte> payload)
    {
        payload.CopyTo(At(FrameLayout.HeaderLength));
        _length = FrameLayout.HeaderLength + payload.Length;
        BinaryPrimitives.WriteUInt32LittleEndian(At(FrameLayout.PayloadLengthOffset), (uint)payload.Length);
        _payloadState = FrameChecksum.Append(uint.MaxValue, payload);
    }

    /// <summary>Stamps the frame for sending.</summary>
    /// <param name="kind">What it is for.</param>
    /// <param name="flags">What else it says of itself.</param>
    /// <param name="sequence">The message's number.</param>
    /// <param name="intended">When the schedule wanted it out, in nanoseconds.</param>
    /// <param name="sent">Now, in nanoseconds.</param>
    public void Stamp(MessageKind kind, FrameFlags flags, long sequence, long intended, long sent)
    {
        _bytes[FrameLayout.KindOffset] = (byte)kind;
        BinaryPrimitives.WriteUInt16LittleEndian(At(FrameLayout.FlagsOffset), (ushort)flags);
        BinaryPrimitives.WriteInt64LittleEndian(At(FrameLayout.SequenceOffset), sequence);
        BinaryPrimitives.WriteInt64LittleEndian(At(FrameLayout.IntendedOffset), intended);
        BinaryPrimitives.WriteInt64LittleEndian(At(FrameLayout.SentOffset), sent);
        var checksum = ~FrameChecksum.Append(_payloadState, _bytes.AsSpan(0, FrameLayout.ChecksumOffset));
        BinaryPrimitives.WriteUInt32LittleEndian(At(FrameLayout.ChecksumOffset), checksum);
    }

    private Span<byte> At(int offset) => _bytes.AsSpan(offset);
}

/// <summary>Writes a consumer's fields into the frame that it sends back.</summary>
internal static class FrameEcho
{
    public static void Stamp(Span<byte> frame, ulong instance, long received, long echoed)
    {
        BinaryPrimitives.WriteInt64LittleEndian(frame[FrameLayout.ReceivedOffset..], received);
        BinaryPrimitives.WriteInt64LittleEndian(frame[FrameLayout.EchoedOffset..], echoed);
        BinaryPrimitives.WriteUInt64LittleEndian(frame[FrameLayout.EchoInstanceOffset..], instance);
        var checksum = FrameChecksum.Compute(frame[FrameLayout.ReceivedOffset..FrameLayout.HeaderLength]);
        BinaryPrimitives.WriteUInt32LittleEndian(frame[FrameLayout.EchoChecksumOffset..], checksum);
    }
}
