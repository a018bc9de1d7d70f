using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>
/// What one source says of this host's wall clock: that it is within an error of UTC. Nobody has proven it; a claim
/// that does not even bound anything is refused, and says why.
/// </summary>
/// <param name="Source">Who says so.</param>
/// <param name="SampledAtNs">When the error was that, in nanoseconds of <see cref="MonotonicClock"/>.</param>
/// <param name="ErrorNs">How far the wall clock may be from UTC, either way; -1 where nothing was said.</param>
/// <param name="DriftPpm">How fast the error grows with age.</param>
/// <param name="Refusal">Why it is refused; null where it is accepted.</param>
/// <param name="Note">What to know of an accepted claim; null where there is nothing.</param>
public sealed record UtcClaim(
    UtcClaimSource Source, long SampledAtNs, long ErrorNs, double DriftPpm, string? Refusal, string? Note)
{
    /// <summary>How fast an error grows that nobody says more of: the advice of ClockBound's documentation.</summary>
    public const double DefaultDriftPpm = 50;

    /// <summary>Whether it bounds anything.</summary>
    public bool IsAccepted => Refusal is null;

    /// <summary>The error at a later moment, in nanoseconds: grown by the drift; -1 where nothing was said.</summary>
    public long ErrorAt(long monotonicNs) => ErrorNs < 0
        ? -1
        : ErrorNs + (long)Math.Ceiling(Math.Abs(monotonicNs - SampledAtNs) * (DriftPpm / 1e6));

    internal static UtcClaim Accept(
        UtcClaimSource source, long atNs, long errorNs, double driftPpm = DefaultDriftPpm, string? note = null) =>
        new(source, atNs, errorNs, driftPpm, null, note);

    internal static UtcClaim Refuse(UtcClaimSource source, long atNs, string reason, long errorNs = -1) =>
        new(source, atNs, errorNs, DefaultDriftPpm, reason, null);
}
