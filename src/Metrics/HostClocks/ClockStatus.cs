using System.Buffers.Binary;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>
/// The state of a host's clock, small enough to travel in every probe reply. All times are those of
/// <see cref="MonotonicClock"/> of that host.
/// </summary>
/// <param name="SampledAtNs">When it was so.</param>
/// <param name="UtcOffsetNs">Unix time minus monotonic time, in nanoseconds.</param>
/// <param name="UtcErrorNs">
/// How far <paramref name="UtcOffsetNs"/> may be from UTC's, either way, by the tightest accepted claim and the reading
/// of both clocks; -1 where no claim was accepted.
/// </param>
/// <param name="RatePpm">
/// How much faster the monotonic clock runs than the crystal under it, because a daemon or the kernel slews it, in
/// parts per million over about the last second; NaN where that cannot be known.
/// </param>
/// <param name="SuspendedNs">For how long the host has slept since the watch began; 0 where not known.</param>
public readonly record struct ClockStatus(
    long SampledAtNs, long UtcOffsetNs, long UtcErrorNs, double RatePpm, long SuspendedNs)
{
    public const int Length = 40;

    /// <summary>Nothing known but the time.</summary>
    public static ClockStatus Unknown(long atNs) => new(atNs, 0, -1, double.NaN, 0);

    /// <summary>Writes its <see cref="Length"/> bytes, little-endian, in the order of the parameters.</summary>
    public void Write(Span<byte> destination)
    {
        BinaryPrimitives.WriteInt64LittleEndian(destination, SampledAtNs);
        BinaryPrimitives.WriteInt64LittleEndian(destination[8..], UtcOffsetNs);
        BinaryPrimitives.WriteInt64LittleEndian(destination[16..], UtcErrorNs);
        BinaryPrimitives.WriteDoubleLittleEndian(destination[24..], RatePpm);
        BinaryPrimitives.WriteInt64LittleEndian(destination[32..], SuspendedNs);
    }

    /// <summary>
    /// Reads what <see cref="Write"/> wrote. It is a peer's word: an error below zero becomes -1 and a rate that no
    /// clock has becomes NaN, so that nothing absurd counts as a bound.
    /// </summary>
    public static ClockStatus Read(ReadOnlySpan<byte> source)
    {
        var error = BinaryPrimitives.ReadInt64LittleEndian(source[16..]);
        var rate = BinaryPrimitives.ReadDoubleLittleEndian(source[24..]);
        return new ClockStatus(
            BinaryPrimitives.ReadInt64LittleEndian(source),
            BinaryPrimitives.ReadInt64LittleEndian(source[8..]),
            error < 0 ? -1 : error,
            Math.Abs(rate) < MostRatePpm ? rate : double.NaN,
            BinaryPrimitives.ReadInt64LittleEndian(source[32..]));
    }

    // Half a second a second: far beyond what chronyd's fastest slew (100,000 ppm) does.
    private const double MostRatePpm = 500_000;
}
