using System.Buffers.Binary;
using System.Numerics;

namespace RedisLatency.Messaging.Frames;

internal static class FrameReader
{
    public static FrameDefect Read(ReadOnlySpan<byte> frame, out FrameHeader header)
    {
        header = default;
        if (frame.Length < FrameLayout.Magic.Length || !frame.StartsWith(FrameLayout.Magic))
            return FrameDefect.Foreign;
        if (frame.Length <= FrameLayout.VersionOffset)
            return FrameDefect.Malformed;
        if (frame[FrameLayout.VersionOffset] != FrameLayout.ProtocolVersion)
            return FrameDefect.OtherVersion;
        if (!IsWellFormed(frame))
            return FrameDefect.Malformed;
        if (!ChecksumsHold(frame))
            return FrameDefect.Corrupted;

        header = new FrameHeader
        {
            Kind = (MessageKind)frame[FrameLayout.KindOffset],
            Flags = (FrameFlags)BinaryPrimitives.ReadUInt16LittleEndian(frame[FrameLayout.FlagsOffset..]),
            Stream = BinaryPrimitives.ReadUInt16LittleEndian(frame[FrameLayout.StreamOffset..]),
            Run = BinaryPrimitives.ReadUInt64LittleEndian(frame[FrameLayout.RunOffset..]),
            Producer = BinaryPrimitives.ReadUInt64LittleEndian(frame[FrameLayout.ProducerOffset..]),
            Sequence = BinaryPrimitives.ReadInt64LittleEndian(frame[FrameLayout.SequenceOffset..]),
            Intended = BinaryPrimitives.ReadInt64LittleEndian(frame[FrameLayout.IntendedOffset..]),
            Sent = BinaryPrimitives.ReadInt64LittleEndian(frame[FrameLayout.SentOffset..]),
            Received = BinaryPrimitives.ReadInt64LittleEndian(frame[FrameLayout.ReceivedOffset..]),
            Echoed = BinaryPrimitives.ReadInt64LittleEndian(frame[FrameLayout.EchoedOffset..]),
            EchoInstance = BinaryPrimitives.ReadUInt64LittleEndian(frame[FrameLayout.EchoInstanceOffset..]),
        };
        return FrameDefect.None;
    }

    public static ReadOnlySpan<byte> Payload(ReadOnlySpan<byte> frame) => frame[FrameLayout.HeaderLength..];

    private static bool IsWellFormed(ReadOnlySpan<byte> frame) =>
        frame.Length is >= FrameLayout.HeaderLength and <= FrameLayout.HeaderLength + FrameLayout.MaxPayloadLength
        && BinaryPrimitives.ReadUInt16LittleEndian(frame[FrameLayout.HeaderLengthOffset..]) == FrameLayout.HeaderLength
        && BinaryPrimitives.ReadUInt32LittleEndian(frame[FrameLayout.PayloadLengthOffset..])
            == (uint)(frame.Length - FrameLayout.HeaderLength)
        && frame[FrameLayout.KindOffset] is >= (byte)MessageKind.Message and <= (byte)MessageKind.Figures
        && BinaryPrimitives.ReadInt64LittleEndian(frame[FrameLayout.SequenceOffset..])
            is >= 0 and <= FrameLayout.MaxSequence;

    private static bool ChecksumsHold(ReadOnlySpan<byte> frame)
    {
        var payload = FrameChecksum.Append(uint.MaxValue, frame[FrameLayout.HeaderLength..]);
        var checksum = ~FrameChecksum.Append(payload, frame[..FrameLayout.ChecksumOffset]);
        if (checksum != BinaryPrimitives.ReadUInt32LittleEndian(frame[FrameLayout.ChecksumOffset..]))
            return false;

        var echo = frame[FrameLayout.ReceivedOffset..FrameLayout.HeaderLength];
        var echoChecksum = BinaryPrimitives.ReadUInt32LittleEndian(frame[FrameLayout.EchoChecksumOffset..]);
        var isUntouched = echoChecksum == 0 && echo.IndexOfAnyExcept((byte)0) < 0;
        return isUntouched || echoChecksum == FrameChecksum.Compute(echo);
    }
}

/// <summary>CRC-32C (Castagnoli; RFC 3720, B.4), with the processor's own instruction where there is one.</summary>
internal static class FrameChecksum
{
    public static uint Compute(ReadOnlySpan<byte> bytes) => ~Append(uint.MaxValue, bytes);

    /// <summary>
    /// Carries an unfinished checksum over more bytes: it starts at and is finished by inverting all bits.
    /// </summary>
    internal static uint Append(uint state, ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length >= sizeof(ulong))
        {
            state = BitOperations.Crc32C(state, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            bytes = bytes[sizeof(ulong)..];
        }

        foreach (var value in bytes)
            state = BitOperations.Crc32C(state, value);
        return state;
    }
}
