using System.Globalization;
using System.Runtime.InteropServices;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>
/// The shared memory of AWS ClockBound, version 2 (docs/PROTOCOL.md and clock-bound-shm of aws/clock-bound): 80 bytes
/// in the machine's byte order, whose generation is odd while they are written.
/// </summary>
internal sealed class ClockBoundSegment(HostFiles files)
{
    public const string FilePath = "var/run/clockbound/shm0";
    public const int Length = 80;

    private const int Attempts = 10;
    private const uint FirstMagic = 0x414D5A4E;
    private const uint SecondMagic = 0x43420200;
    private const ushort Version = 2;
    private const int Synchronised = 1;
    private const int FreeRunning = 2;
    private const int Disrupted = 3;
    private const long NanosecondsPerSecond = 1_000_000_000;

    // The coarse clock that stamps the segment lags a kernel tick behind the clock it is compared with.
    private const long CoarseTickNs = 10_000_000;

    /// <summary>Its claim now, by the host's CLOCK_MONOTONIC, which stamps the segment.</summary>
    public UtcClaim Read(long hostNowNs)
    {
        Span<byte> segment = stackalloc byte[Length];
        Span<byte> again = stackalloc byte[Length];
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            if (files.ReadBytes(FilePath, segment) is var length && length < Length)
                return Refuse(
                    hostNowNs, length < 0 ? "ClockBound is not running" : "ClockBound's segment is cut short");
            // A file is read as it is written: only two equal readings of a finished generation are one state.
            if ((Generation(segment) & 1) == 0
                && files.ReadBytes(FilePath, again) == Length && segment.SequenceEqual(again))
            {
                return Judge(segment, hostNowNs);
            }
        }

        return Refuse(hostNowNs, "ClockBound's segment stays half written");
    }

    private static UtcClaim Judge(ReadOnlySpan<byte> segment, long hostNowNs)
    {
        if (Refusal(segment, hostNowNs) is { } refusal)
            return Refuse(hostNowNs, refusal);
        var asOf = Time(segment[16..]);
        var drift = MemoryMarshal.Read<uint>(segment[64..]);
        var bound = MemoryMarshal.Read<long>(segment[48..]);
        var age = Math.Max(0, hostNowNs - asOf);
        return UtcClaim.Accept(
            UtcClaimSource.ClockBound,
            MonotonicClock.FromHost(hostNowNs),
            bound + (long)Math.Ceiling(age * (drift / 1e9)),
            drift / 1e3,
            MemoryMarshal.Read<int>(segment[68..]) == FreeRunning
                ? "the clock runs free: its daemon does not update it"
                : null);
    }

    private static string? Refusal(ReadOnlySpan<byte> segment, long hostNowNs)
    {
        if (MemoryMarshal.Read<uint>(segment) != FirstMagic || MemoryMarshal.Read<uint>(segment[4..]) != SecondMagic)
            return "the file is no segment of ClockBound";
        var version = MemoryMarshal.Read<ushort>(segment[12..]);
        if (version != Version)
            return string.Create(CultureInfo.InvariantCulture, $"ClockBound's segment has version {version}, not 2");
        if (Generation(segment) == 0)
            return "ClockBound has not written its segment yet";
        var status = MemoryMarshal.Read<int>(segment[68..]);
        if (status is not (Synchronised or FreeRunning))
        {
            return status == Disrupted
                ? "ClockBound says that the clock was disrupted"
                : "ClockBound does not know the state of the clock";
        }

        if (hostNowNs >= Time(segment[32..]))
            return "ClockBound's bound is void: its daemon has not renewed it";
        if (hostNowNs < Time(segment[16..]) - CoarseTickNs)
            return "ClockBound's stamp lies ahead: its clock is of another boot or time namespace";
        if (MemoryMarshal.Read<uint>(segment[64..]) >= NanosecondsPerSecond)
            return "ClockBound's drift is no rate";
        return MemoryMarshal.Read<long>(segment[48..]) is > 0 and < NanosecondsPerSecond
            ? null
            : "ClockBound's bound is none";
    }

    private static ushort Generation(ReadOnlySpan<byte> segment) => MemoryMarshal.Read<ushort>(segment[14..]);

    // A struct timespec; what no clock reads (a hostile file) saturates.
    private static long Time(ReadOnlySpan<byte> bytes)
    {
        var seconds = (Int128)MemoryMarshal.Read<long>(bytes);
        var ns = (seconds * NanosecondsPerSecond) + MemoryMarshal.Read<long>(bytes[8..]);
        return (long)Int128.Clamp(ns, long.MinValue / 2, long.MaxValue / 2);
    }

    private static UtcClaim Refuse(long hostNowNs, string reason) =>
        UtcClaim.Refuse(UtcClaimSource.ClockBound, MonotonicClock.FromHost(hostNowNs), reason);
}
