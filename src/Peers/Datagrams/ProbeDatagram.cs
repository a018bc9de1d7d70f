using System.Buffers.Binary;
using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Peers.Datagrams;

/// <summary>
/// The one form of a probe: a question is as long as its answer, so that nobody can have an answerer send more than
/// was sent to it. Numbers are little-endian; <c>docs/frame.md</c> is the same table.
/// </summary>
internal static class ProbeDatagram
{
    /// <summary>The version of this layout, in byte 4.</summary>
    public const byte ProtocolVersion = 1;

    public const int Length = SealOffset + DatagramSeal.Length;

    public const int SealOffset = StatusOffset + ClockStatus.Length;

    private const int VersionOffset = 4;
    private const int KindOffset = 5;
    private const int RunOffset = 8;
    private const int AskerOffset = 16;
    private const int AnswererOffset = 24;
    private const int SequenceOffset = 32;
    private const int SentOffset = 40;
    private const int ReceivedOffset = 48;
    private const int EchoedOffset = 56;
    private const int StatusOffset = 64;

    private static ReadOnlySpan<byte> Magic => "RLCP"u8;

    public static void WriteQuestion(Span<byte> datagram, in ProbeFields fields)
    {
        datagram[..Length].Clear();
        Magic.CopyTo(datagram);
        datagram[VersionOffset] = ProtocolVersion;
        datagram[KindOffset] = (byte)fields.Kind;
        BinaryPrimitives.WriteUInt64LittleEndian(datagram[RunOffset..], fields.Run);
        BinaryPrimitives.WriteUInt64LittleEndian(datagram[AskerOffset..], fields.Asker);
        BinaryPrimitives.WriteUInt64LittleEndian(datagram[AnswererOffset..], fields.Answerer);
        BinaryPrimitives.WriteInt64LittleEndian(datagram[SequenceOffset..], fields.Sequence);
        BinaryPrimitives.WriteInt64LittleEndian(datagram[SentOffset..], fields.SentNs);
    }

    /// <summary>Stamps a question with when it leaves, as late as possible before it is sealed.</summary>
    public static void StampSent(Span<byte> datagram, long sentNs) =>
        BinaryPrimitives.WriteInt64LittleEndian(datagram[SentOffset..], sentNs);

    /// <summary>Turns a question into its answer, all but t3.</summary>
    public static void WriteAnswer(Span<byte> datagram, long receivedNs, in ClockStatus status)
    {
        datagram[KindOffset] = (byte)ProbeKind.Answer;
        BinaryPrimitives.WriteInt64LittleEndian(datagram[ReceivedOffset..], receivedNs);
        status.Write(datagram.Slice(StatusOffset, ClockStatus.Length));
    }

    /// <summary>Stamps an answer with when it leaves, as late as possible before it is sealed.</summary>
    public static void StampEchoed(Span<byte> datagram, long echoedNs) =>
        BinaryPrimitives.WriteInt64LittleEndian(datagram[EchoedOffset..], echoedNs);

    /// <summary>Whether it is of this protocol, version and run; not whether it is authentic.</summary>
    public static DatagramDefect Read(ReadOnlySpan<byte> datagram, ulong run, out ProbeFields fields)
    {
        fields = default;
        if (datagram.Length != Length)
            return DatagramDefect.WrongSize;
        if (!datagram.StartsWith(Magic))
            return DatagramDefect.Foreign;
        if (datagram[VersionOffset] != ProtocolVersion)
            return DatagramDefect.OtherVersion;
        fields = new ProbeFields(
            (ProbeKind)datagram[KindOffset],
            BinaryPrimitives.ReadUInt64LittleEndian(datagram[RunOffset..]),
            BinaryPrimitives.ReadUInt64LittleEndian(datagram[AskerOffset..]),
            BinaryPrimitives.ReadUInt64LittleEndian(datagram[AnswererOffset..]),
            BinaryPrimitives.ReadInt64LittleEndian(datagram[SequenceOffset..]),
            BinaryPrimitives.ReadInt64LittleEndian(datagram[SentOffset..]));
        return fields.Run == run ? DatagramDefect.None : DatagramDefect.Foreign;
    }

    /// <summary>t2 of an answer: when the peer had the question, by its own clock.</summary>
    public static long ReceivedNs(ReadOnlySpan<byte> datagram) =>
        BinaryPrimitives.ReadInt64LittleEndian(datagram[ReceivedOffset..]);

    /// <summary>t3 of an answer: when the peer sent it, by its own clock.</summary>
    public static long EchoedNs(ReadOnlySpan<byte> datagram) =>
        BinaryPrimitives.ReadInt64LittleEndian(datagram[EchoedOffset..]);

    public static ClockStatus StatusOf(ReadOnlySpan<byte> datagram) =>
        ClockStatus.Read(datagram.Slice(StatusOffset, ClockStatus.Length));
}
