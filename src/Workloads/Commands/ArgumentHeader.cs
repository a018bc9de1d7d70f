using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Commands;

/// <summary>A length as it stands before an argument: a type, decimal digits and a line end.</summary>
internal static class ArgumentHeader
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Length(int length) =>
        length < 10 ? 4 : length < 100 ? 5 : length < 1_000 ? 6 : LengthOfMany(length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Write(Span<byte> space, byte type, int length)
    {
        if ((uint)(length - 10) < 90)
        {
            // As nearly all keys have it: in one piece.
            var (tens, ones) = Math.DivRem((uint)length, 10);
            space[4] = (byte)'\n';
            BinaryPrimitives.WriteUInt32LittleEndian(
                space, type | (('0' + tens) << 8) | (('0' + ones) << 16) | ((uint)'\r' << 24));
            return 5;
        }

        return WriteAny(space, type, length);
    }

    private static int LengthOfMany(int length)
    {
        var digits = 3;
        for (length /= 1_000; length > 0; length /= 10)
            digits++;
        return digits + 3;
    }

    private static int WriteAny(Span<byte> space, byte type, int length)
    {
        var end = Length(length);
        space[end - 1] = (byte)'\n';
        space[end - 2] = (byte)'\r';
        DecimalDigits.Fill(space[1..(end - 2)], (uint)length);
        space[0] = type;
        return end;
    }
}
