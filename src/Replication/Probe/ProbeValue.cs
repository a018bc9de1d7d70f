using System.Buffers.Text;
using System.Numerics;
using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// The value of a probe key, in ASCII, so that any tool shows it: rl1, the session, the key's number, when it was due
/// and when it was sent (nanoseconds of the writer's monotonic clock), and the CRC-32C of the key's name, the value's
/// length and these four, each with 16 hexadecimal digits; then dots. What was altered or cut on its way, or stands
/// under another key, is no such value.
/// </summary>
internal static class ProbeValue
{
    public const int Length = 3 + (5 * FieldLength);
    private const int FieldLength = 17;
    private const byte Padding = (byte)'.';

    private static ReadOnlySpan<byte> Mark => "rl1"u8;

    public static void Write(
        Span<byte> value, ReadOnlySpan<byte> key, ulong session, long sequence, long intendedNs, long sentNs)
    {
        WriteStamps(value, key, value.Length, session, sequence, intendedNs, sentNs);
        value[Length..].Fill(Padding);
    }

    public static bool TryRead(
        ReadOnlySpan<byte> value, ReadOnlySpan<byte> key, out ulong session, out long sequence, out long intendedNs,
        out long sentNs)
    {
        session = 0;
        sequence = intendedNs = sentNs = 0;
        if (value.Length < Length || !TryReadField(value, 0, out session) || !TryReadField(value, 1, out sequence)
            || !TryReadField(value, 2, out intendedNs) || !TryReadField(value, 3, out sentNs))
        {
            return false;
        }

        Span<byte> written = stackalloc byte[Length];
        WriteStamps(written, key, value.Length, session, sequence, intendedNs, sentNs);
        return written.SequenceEqual(value[..Length]) && !value[Length..].ContainsAnyExcept(Padding)
            && sequence is >= 0 and <= SequenceTracker.HighestNumber;
    }

    private static void WriteStamps(
        Span<byte> value, ReadOnlySpan<byte> key, int length, ulong session, long sequence, long intendedNs,
        long sentNs)
    {
        Mark.CopyTo(value);
        WriteField(value, 0, session);
        WriteField(value, 1, (ulong)sequence);
        WriteField(value, 2, (ulong)intendedNs);
        WriteField(value, 3, (ulong)sentNs);
        WriteField(value, 4, Check(key, length, session, sequence, intendedNs, sentNs));
    }

    private static uint Check(
        ReadOnlySpan<byte> key, int length, ulong session, long sequence, long intendedNs, long sentNs)
    {
        var check = uint.MaxValue;
        foreach (var letter in key)
            check = BitOperations.Crc32C(check, letter);
        check = BitOperations.Crc32C(check, (uint)length);
        check = BitOperations.Crc32C(check, session);
        check = BitOperations.Crc32C(check, (ulong)sequence);
        check = BitOperations.Crc32C(check, (ulong)intendedNs);
        return BitOperations.Crc32C(check, (ulong)sentNs);
    }

    private static void WriteField(Span<byte> value, int field, ulong number)
    {
        var text = value.Slice(Mark.Length + (field * FieldLength), FieldLength);
        text[0] = (byte)' ';
        number.TryFormat(text[1..], out _, "x16");
    }

    private static bool TryReadField(ReadOnlySpan<byte> value, int field, out long number)
    {
        var isRead = TryReadField(value, field, out ulong unsigned);
        number = (long)unsigned;
        return isRead;
    }

    private static bool TryReadField(ReadOnlySpan<byte> value, int field, out ulong number)
    {
        var text = value.Slice(Mark.Length + (field * FieldLength), FieldLength);
        number = 0;
        return text[0] == ' ' && Utf8Parser.TryParse(text[1..], out number, out var read, 'x')
            && read == FieldLength - 1;
    }
}
