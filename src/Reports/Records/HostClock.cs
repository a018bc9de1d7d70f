using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Records;

/// <summary>What a process's monotonic clock was, and what its host said of its clocks.</summary>
public sealed record HostClock
{
    private const string Synthetic = "synthetic";
    private const string OfHost = "host";

    /// <summary>host or synthetic.</summary>
    public required string Kind { get; init; }

    /// <summary>The running boot; null where the system does not name it.</summary>
    public string? BootId { get; init; }

    /// <summary>The time namespace; null where the system has but one.</summary>
    public string? TimeNamespace { get; init; }

    /// <summary>Every source of a claim of UTC, as it was last read.</summary>
    public IReadOnlyList<HostClaim> Claims { get; init; } = [];

    /// <summary>How much faster the clock ran than its crystal at the end, in parts per million.</summary>
    public double? RatePpm { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>How far that may be wrong, either way.</summary>
    public double? RateErrorPpm { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>How the rate is known, or why it is not.</summary>
    public required string RateSource { get; init; }

    /// <summary>How long the host slept, in nanoseconds.</summary>
    public long SuspendedNs { get; init; }

    /// <summary>How often the wall clock was set, the rate changed or the host slept.</summary>
    public long Events { get; init; }

    /// <summary>What a watch has seen.</summary>
    public static HostClock Of(ClockIdentity identity, HostClockWatch watch)
    {
        var status = watch.Status;
        return new HostClock
        {
            Kind = MonotonicClock.IsSynthetic ? Synthetic : OfHost,
            BootId = identity.BootId,
            TimeNamespace = identity.TimeNamespace,
            Claims = [.. watch.Claims.Select(claim => ClaimOf(claim, status.SampledAtNs))],
            RatePpm = status.RatePpm,
            RateErrorPpm = watch.RateErrorPpm,
            RateSource = watch.RateSource,
            SuspendedNs = status.SuspendedNs,
            Events = watch.EventCount,
        };
    }

    private static HostClaim ClaimOf(UtcClaim claim, long atNs) => new(
        claim.Source.ToString().ToLowerInvariant(),
        claim.IsAccepted,
        claim.ErrorAt(atNs) is var error and >= 0 ? error : null,
        claim.Refusal ?? claim.Note);
}

/// <summary>What one source said of a host's wall clock: that it is within an error of UTC.</summary>
/// <param name="Source">kernel, chrony or clockbound.</param>
/// <param name="Accepted">Whether it bounds anything.</param>
/// <param name="ErrorNs">How far from UTC, either way, at the end of the run; null where nothing was said.</param>
/// <param name="Reason">Why it was refused, or what to know of it; null where there is nothing.</param>
public sealed record HostClaim(string Source, bool Accepted, long? ErrorNs, string? Reason);
