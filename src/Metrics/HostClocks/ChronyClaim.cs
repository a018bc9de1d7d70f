using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>chrony's documented bound: the correction left, the root dispersion and half the root delay.</summary>
internal static class ChronyClaim
{
    private const int NotSynchronised = 3;
    private const uint LocalReference = 0x7F7F0101;
    private const uint Loopback = 127;

    // NTP's reachability register holds eight polls, of at least 64 s.
    private const int Polls = 8;
    private const double LeastPoll = 64;

    // RFC 5905's longest poll, 2^17 s: an interval beyond it, or below zero, is no daemon's.
    private const double LongestPoll = 1 << 17;

    // However seldom it polls: nobody looks at a clock for a day and knows its error.
    private const double OldestUpdate = 86_400;

    // Its own arithmetic, and a clock that is slewed while it answers.
    private const double FutureSlack = 0.1;

    // A chain from a real clock is a few hops long; `local` is served at 8 (chrony's FAQ) or 10 (the default), so that
    // a chain from a real one is preferred, and tracking does not say what the source's own source is.
    private const int MostStratum = 8;

    public static UtcClaim Judge(ChronyAnswer answer, long atNs, DateTimeOffset now)
    {
        if (answer.Reply is not { } reply)
            return UtcClaim.Refuse(UtcClaimSource.Chrony, atNs, answer.Failure ?? "chronyd is not running");
        var error = Math.Abs(reply.CurrentCorrection) + reply.RootDispersion + (reply.RootDelay / 2);
        if (Refusal(reply, error, now) is { } refusal)
            return UtcClaim.Refuse(UtcClaimSource.Chrony, atNs, refusal);
        return UtcClaim.Accept(
            UtcClaimSource.Chrony,
            atNs,
            (long)Math.Ceiling(error * 1e9),
            note: reply.RootDelay == 0
                ? "a root delay of 0 is a reference clock's: its own error is not in the bound"
                : "that no host on the way serves its own clock (local) is assumed: chronyd knows only its own source");
    }

    private static string? Refusal(ChronyReply reply, double error, DateTimeOffset now)
    {
        if (reply.LeapStatus == NotSynchronised || reply.Stratum == 0 || reply.ReferenceId == 0)
            return "chronyd is not synchronised";
        if (reply.ReferenceId == LocalReference)
            return "chronyd serves its own clock (local), which is not UTC";
        if (reply.ReferenceId >> 24 == Loopback || IPAddress.IsLoopback(reply.Source))
            return "chronyd follows another daemon of its own host (127.…), which is its own clock again, not UTC";
        if (reply.Stratum > MostStratum)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"chronyd is at stratum {reply.Stratum}: what it follows is somebody's own clock (local), "
                    + $"nobody's UTC");
        }

        var age = (WallClockMapping.ToUnixNs(now) / 1e9) - reply.ReferenceTime;
        if (age < -FutureSlack)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"chronyd last updated its clock in {-age:0.#} s from now: a clock was set since, or the report "
                    + $"is wrong");
        }

        if (reply.UpdateInterval is not (>= 0 and <= LongestPoll))
        {
            return string.Create(
                CultureInfo.InvariantCulture, $"chronyd says that it updates every {reply.UpdateInterval:g3} s");
        }

        if (age > Math.Min(Polls * Math.Max(reply.UpdateInterval, LeastPoll), OldestUpdate))
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"chronyd last updated its clock {age:0} s ago, eight polls or a day and more");
        }

        return error is > 0 and < 1
            ? null
            : string.Create(CultureInfo.InvariantCulture, $"an error of {error:0.#} s is too large to be a bound");
    }
}

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

    /// <summary>Of what it follows; any address where that is a reference clock.</summary>
    public IPAddress Source { get; init; } = IPAddress.Any;

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
            Source = ReadAddress(body[4..]),
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

    // candm.h, IPAddr: sixteen bytes of address, then its family.
    private static IPAddress ReadAddress(ReadOnlySpan<byte> bytes) =>
        BinaryPrimitives.ReadUInt16BigEndian(bytes[16..]) switch
        {
            1 => new IPAddress(bytes[..4]),
            2 => new IPAddress(bytes[..16]),
            _ => IPAddress.Any,
        };

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
