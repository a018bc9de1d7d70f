using System.Buffers.Binary;

namespace RedisLatency.Metrics.Claims;

/// <summary>Tracking reply of chrony 2 to 4 (command protocol 6; candm.h, RPY_Tracking), times in seconds.</summary>
internal sealed record ChronyReply
{
    public const int RequestLength = 104;
    public const int ReplyLength = 104;

    private const byte Version = 6;
    private const byte Request = 1;
    private const byte Reply = 2;
    private const ushort TrackingRequest = 33;
    private const ushort TrackingReply = 5;

    public uint ReferenceId { get; init; }

    public int Stratum { get; init; }

    /// <summary>0 to 2 where synchronised, 3 where not.</summary>
    public int LeapStatus { get; init; }

    /// <summary>When the clock was last updated, as Unix time in seconds.</summary>
    public double ReferenceTime { get; init; }

    /// <summary>What chronyd is still slewing away, in seconds.</summary>
    public double CurrentCorrection { get; init; }

    public double RootDelay { get; init; }

    public double RootDispersion { get; init; }

    public double UpdateInterval { get; init; }

    /// <summary>Asks for it. The request is as long as the reply, so that it can amplify nothing.</summary>
    public static void WriteRequest(Span<byte> packet, uint sequence)
    {
        packet[..RequestLength].Clear();
        packet[0] = Version;
        packet[1] = Request;
        BinaryPrimitives.WriteUInt16BigEndian(packet[4..], TrackingRequest);
        BinaryPrimitives.WriteUInt32BigEndian(packet[8..], sequence);
    }

    /// <returns>Null where it is another's, cut short or a refusal.</returns>
    public static ChronyReply? Read(ReadOnlySpan<byte> packet, uint sequence)
    {
        if (packet.Length < ReplyLength || packet[0] != Version || packet[1] != Reply
            || BinaryPrimitives.ReadUInt16BigEndian(packet[4..]) != TrackingRequest
            || BinaryPrimitives.ReadUInt16BigEndian(packet[6..]) != TrackingReply
            || BinaryPrimitives.ReadUInt16BigEndian(packet[8..]) != 0
            || BinaryPrimitives.ReadUInt32BigEndian(packet[16..]) != sequence)
        {
            return null;
        }

        var body = packet[28..];
        return new ChronyReply
        {
            ReferenceId = BinaryPrimitives.ReadUInt32BigEndian(body),
            Stratum = BinaryPrimitives.ReadUInt16BigEndian(body[24..]),
            LeapStatus = BinaryPrimitives.ReadUInt16BigEndian(body[26..]),
            ReferenceTime = ReadTime(body[28..]),
            CurrentCorrection = ReadFloat(body[40..]),
            RootDelay = ReadFloat(body[64..]),
            RootDispersion = ReadFloat(body[68..]),
            UpdateInterval = ReadFloat(body[72..]),
        };
    }

    /// <summary>A number of 32 bits: a signed exponent of 7, a signed coefficient of 25, coef · 2^(exp - 25).</summary>
    internal static double ReadFloat(ReadOnlySpan<byte> bytes)
    {
        var bits = BinaryPrimitives.ReadInt32BigEndian(bytes);
        var exponent = (bits >> 25) - 25;
        var coefficient = (bits << 7) >> 7;
        return Math.ScaleB(coefficient, exponent);
    }

    // Where the daemon's time has 32 bits, the high word says so with this value.
    private static double ReadTime(ReadOnlySpan<byte> bytes)
    {
        const uint NoHighWord = 0x7fffffff;
        var high = BinaryPrimitives.ReadUInt32BigEndian(bytes);
        var low = BinaryPrimitives.ReadUInt32BigEndian(bytes[4..]);
        return ((high == NoHighWord ? 0 : high) * 4_294_967_296.0) + low
            + (BinaryPrimitives.ReadUInt32BigEndian(bytes[8..]) / 1e9);
    }
}
