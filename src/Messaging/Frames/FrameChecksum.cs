using System.Buffers.Binary;
using System.Numerics;

namespace RedisLatency.Messaging.Frames;

/// <summary>CRC-32C (Castagnoli; RFC 3720, B.4), with the processor's own instruction where there is one.</summary>
public static class FrameChecksum
{
    /// <summary>The checksum of some bytes.</summary>
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
