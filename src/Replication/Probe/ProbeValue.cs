using System.Buffers.Text;
using System.Numerics;
using RedisLatency.Metrics.Sequences;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// The value of a probe key, in ASCII, so that any tool shows it: rl1, the session, the key's number, when it was due
/// and when it was sent (nanoseconds of the writer's monotonic clock), and the CRC-32C of these four, each with 16
/// hexadecimal digits; then dots. What was altered on its way is no such value.
/// </summary>
internal static class ProbeValue
{
    public const int Length = 3 + (5 * FieldLength);
    private const int FieldLength = 17;

    private static ReadOnlySpan<byte> Mark => "rl1"u8;

    public static void Write(Span<byte> value, ulong session, long sequence, long intendedNs, long sentNs)
    {
        Mark.CopyTo(value);
        WriteField(value, 0, session);
        WriteField(value, 1, (ulong)sequence);
        WriteField(value, 2, (ulong)intendedNs);
        WriteField(value, 3, (ulong)sentNs);
        WriteField(value, 4, Check(session, sequence, intendedNs, sentNs));
        value[Length..].Fill((byte)'.');
    }

    public static bool TryRead(
        ReadOnlySpan<byte> value, out ulong session, out long sequence, out long intendedNs, out long sentNs)
    {
        session = 0;
        sequence = intendedNs = sentNs = 0;
        return value.Length >= Length && value.StartsWith(Mark)
            && TryReadField(value, 0, out session)
            && TryReadField(value, 1, out sequence)
            && TryReadField(value, 2, out intendedNs)
            && TryReadField(value, 3, out sentNs)
            && TryReadField(value, 4, out ulong check)
            && check == Check(session, sequence, intendedNs, sentNs)
            && sequence is >= 0 and <= SequenceTracker.HighestNumber;
    }

    private static uint Check(ulong session, long sequence, long intendedNs, long sentNs)
    {
        var check = BitOperations.Crc32C(uint.MaxValue, session);
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
