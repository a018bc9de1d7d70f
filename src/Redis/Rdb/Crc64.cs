using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace RedisLatency.Redis.Rdb;

/// <summary>
/// The CRC-64 of RDB files and DUMP payloads: Jones' polynomial 0xad93d23594c935a9, reflected, from 0 (crc64.c of
/// Redis). By carry-less multiplication where the processor has it (Gopal and others, "Fast CRC Computation for Generic
/// Polynomials Using PCLMULQDQ", Intel 2009), else by eight tables: with these, it costs more than everything else that
/// reads a file.
/// </summary>
internal static class Crc64
{
    private const ulong ReflectedPolynomial = 0x95ac9329ac4bc9b5;
    private const int Lane = 16;
    private const int Lanes = 4;

    private static readonly ulong[] Tables = MakeTables();

    // Over one lane, and over four: 128 and 512 bits, less one because products of reflected numbers are shifted.
    private static readonly Vector128<ulong> OverOne = Vector128.Create(PowerOfX(191), PowerOfX(127));
    private static readonly Vector128<ulong> OverFour = Vector128.Create(PowerOfX(575), PowerOfX(511));

    public static ulong Append(ulong crc, ReadOnlySpan<byte> bytes)
    {
        if (Pclmulqdq.IsSupported && bytes.Length >= Lanes * Lane)
            crc = AppendLanes(crc, ref bytes);
        return AppendTables(crc, bytes);
    }

    internal static ulong AppendTables(ulong crc, ReadOnlySpan<byte> bytes)
    {
        var table = Tables.AsSpan(0, 8 * 256);
        for (; bytes.Length >= 8; bytes = bytes[8..])
        {
            crc ^= BinaryPrimitives.ReadUInt64LittleEndian(bytes);
            crc = table[(7 * 256) + (int)(crc & 0xff)]
                ^ table[(6 * 256) + (int)((crc >> 8) & 0xff)]
                ^ table[(5 * 256) + (int)((crc >> 16) & 0xff)]
                ^ table[(4 * 256) + (int)((crc >> 24) & 0xff)]
                ^ table[(3 * 256) + (int)((crc >> 32) & 0xff)]
                ^ table[(2 * 256) + (int)((crc >> 40) & 0xff)]
                ^ table[256 + (int)((crc >> 48) & 0xff)]
                ^ table[(int)(crc >> 56)];
        }

        foreach (var one in bytes)
            crc = table[(int)((crc ^ one) & 0xff)] ^ (crc >> 8);
        return crc;
    }

    // Four remainders side by side, each folded over the next 64 bytes; then one into the other. The 16 bytes left have
    // the same remainder as everything before it.
    private static ulong AppendLanes(ulong crc, ref ReadOnlySpan<byte> bytes)
    {
        var lanes = MemoryMarshal.Cast<byte, Vector128<ulong>>(bytes);
        bytes = bytes[(lanes.Length * Lane)..];
        var (first, second, third, fourth) =
            (lanes[0] ^ Vector128.CreateScalar(crc), lanes[1], lanes[2], lanes[3]);
        for (lanes = lanes[Lanes..]; lanes.Length >= Lanes; lanes = lanes[Lanes..])
        {
            first = Fold(first, OverFour) ^ lanes[0];
            second = Fold(second, OverFour) ^ lanes[1];
            third = Fold(third, OverFour) ^ lanes[2];
            fourth = Fold(fourth, OverFour) ^ lanes[3];
        }

        var sum = Fold(Fold(Fold(first, OverOne) ^ second, OverOne) ^ third, OverOne) ^ fourth;
        foreach (var lane in lanes)
            sum = Fold(sum, OverOne) ^ lane;
        return AppendTables(0, MemoryMarshal.AsBytes(new ReadOnlySpan<Vector128<ulong>>(in sum)));
    }

    private static Vector128<ulong> Fold(Vector128<ulong> lane, Vector128<ulong> powers) =>
        Pclmulqdq.CarrylessMultiply(lane, powers, 0x00) ^ Pclmulqdq.CarrylessMultiply(lane, powers, 0x11);

    private static ulong PowerOfX(int exponent)
    {
        var power = 1UL << 63;
        for (; exponent > 0; exponent--)
            power = Step(power);
        return power;
    }

    private static ulong Step(ulong crc) => (crc >> 1) ^ ((crc & 1) * ReflectedPolynomial);

    private static ulong[] MakeTables()
    {
        var tables = new ulong[8 * 256];
        for (var i = 0; i < 256; i++)
        {
            var crc = (ulong)i;
            for (var bit = 0; bit < 8; bit++)
                crc = Step(crc);
            tables[i] = crc;
        }

        for (var i = 256; i < tables.Length; i++)
            tables[i] = tables[(int)(tables[i - 256] & 0xff)] ^ (tables[i - 256] >> 8);
        return tables;
    }
}
