using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>
/// Watches this host's clock: how fast it runs against its crystal, whether the host slept, whether the wall clock was
/// set, and what the host claims of it. One thread samples, about once a second; any may read.
/// </summary>
public sealed class HostClockWatch : IDisposable
{
    /// <summary>How many events are kept; more are counted.</summary>
    public const int MostEvents = 1_000;

    // A shorter span would measure the error of reading the clocks.
    private const long ShortestSpanNs = 500_000_000;

    // Absent daemons are asked seldom: every refusal costs an exception.
    private const long RefusedAgainNs = 10_000_000_000;

    // A millisecond is more than reading the clocks can err, and less than any sleep.
    private const long ShortestSleepNs = 1_000_000;

    // The kernel's own loop trims the rate all the time, by less than this a second.
    private const double SteadyPpm = 1;

    private readonly Func<SystemClockSample?> _clocks;
    private readonly Func<WallClockMapping> _wallClock;
    private readonly Func<IReadOnlyList<UtcClaim>> _readClaims;
    private readonly UtcClaims? _sources;
    private readonly long _wallClockToleranceNs;

    private SystemClockSample? _rateFrom;
    private long _asleepNs;
    private long _suspendedNs;
    private double _ratePpm = double.NaN;
    private double _rateErrorPpm = double.NaN;
    private WallClockMapping _mapping;
    private long _claimsReadNs;
    private IReadOnlyList<ClockEvent> _events = [];
    private long _eventCount;
    private volatile Seen _seen;

    /// <summary>Begins, and takes the first sample.</summary>
    public HostClockWatch()
        : this(new UtcClaims())
    {
    }

    internal HostClockWatch(
        Func<SystemClockSample?> clocks, Func<WallClockMapping> wallClock, Func<IReadOnlyList<UtcClaim>> readClaims)
    {
        (_clocks, _wallClock, _readClaims) = (clocks, wallClock, readClaims);
        _rateFrom = clocks();
        _asleepNs = _rateFrom?.AsleepNs ?? 0;
        _mapping = wallClock();
        _claimsReadNs = _mapping.SampledAtNs;
        // On Linux one clock is the other plus a constant; elsewhere they are disciplined apart.
        _wallClockToleranceNs = _rateFrom is null ? 2_000_000 : 1_000;
        _seen = See(readClaims());
    }

    private HostClockWatch(UtcClaims sources)
        : this(SystemClocks.Sample, () => WallClockMapping.Sample(), sources.Read) => _sources = sources;

    public ClockStatus Status => _seen.Status;

    /// <summary>How far <see cref="ClockStatus.RatePpm"/> may be from the truth; NaN where it is unknown.</summary>
    public double RateErrorPpm => _seen.RateErrorPpm;

    /// <summary>How the rate is known, or why it is not.</summary>
    public string RateSource => _rateFrom is null
        ? "unknown: only 64-bit Linux shows the crystal's own clock"
        : "CLOCK_MONOTONIC against CLOCK_MONOTONIC_RAW";

    /// <summary>What the host claims of its wall clock, of every source the last word.</summary>
    public IReadOnlyList<UtcClaim> Claims => _seen.Claims;

    /// <summary>What happened, the first <see cref="MostEvents"/>.</summary>
    public IReadOnlyList<ClockEvent> Events => _seen.Events;

    /// <summary>How often something happened.</summary>
    public long EventCount => _seen.EventCount;

    /// <summary>Samples now. Asking a daemon that does not answer may take a fifth of a second.</summary>
    public ClockStatus Sample()
    {
        var mapping = _wallClock();
        var clocks = _clocks();
        var claims = _seen.Claims;
        var isDue = mapping.SampledAtNs - _claimsReadNs is >= RefusedAgainNs or < 0;
        if (isDue || claims.Any(claim => claim.IsAccepted))
        {
            claims = _readClaims();
            _claimsReadNs = mapping.SampledAtNs;
        }

        WatchWallClock(mapping);
        if (clocks is { } now && _rateFrom is { } from)
            WatchClocks(now, from, mapping.SampledAtNs);
        _seen = See(claims);
        return _seen.Status;
    }

    /// <summary>Lets go of the sources of claims.</summary>
    public void Dispose() => _sources?.Dispose();

    private void WatchWallClock(WallClockMapping mapping)
    {
        var moved = HostOffsetNs(mapping) - HostOffsetNs(_mapping);
        if (Math.Abs(moved) > mapping.ErrorNs + _mapping.ErrorNs + _wallClockToleranceNs)
            Note(new ClockEvent(mapping.SampledAtNs, ClockEventKind.WallClockStepped, moved, 0));
        _mapping = mapping;
    }

    // A synthetic clock drifts away from the wall clock, which nobody has set.
    private static long HostOffsetNs(WallClockMapping mapping) =>
        mapping.ToUnixNs(mapping.SampledAtNs) - MonotonicClock.ToHost(mapping.SampledAtNs);

    private void WatchClocks(SystemClockSample now, SystemClockSample from, long atNs)
    {
        var slept = now.AsleepNs - _asleepNs;
        if (slept > ShortestSleepNs)
        {
            _asleepNs = now.AsleepNs;
            _suspendedNs += slept;
            Note(new ClockEvent(atNs, ClockEventKind.Suspended, slept, 0));
        }

        if (now.RawNs - from.RawNs < ShortestSpanNs)
            return;
        var rate = now.RatePpmSince(from);
        var error = now.RateErrorPpmSince(from);
        if (Math.Abs(rate - _ratePpm) > error + _rateErrorPpm + SteadyPpm)
            Note(new ClockEvent(atNs, ClockEventKind.RateChanged, 0, rate - _ratePpm));
        (_ratePpm, _rateErrorPpm, _rateFrom) = (rate, error, now);
    }

    private Seen See(IReadOnlyList<UtcClaim> claims)
    {
        var at = _mapping.SampledAtNs;
        var error = long.MaxValue;
        foreach (var claim in claims)
        {
            if (claim.IsAccepted)
                error = Math.Min(error, claim.ErrorAt(at));
        }

        var status = new ClockStatus(
            at, _mapping.OffsetNs, error == long.MaxValue ? -1 : error + _mapping.ErrorNs, _ratePpm, _suspendedNs);
        return new Seen(status, _rateErrorPpm, claims, _events, _eventCount);
    }

    private void Note(ClockEvent happened)
    {
        _eventCount++;
        if (_events.Count < MostEvents)
            _events = [.. _events, happened];
    }

    /// <summary>What others may read while the next sample is taken.</summary>
    private sealed record Seen(
        ClockStatus Status,
        double RateErrorPpm,
        IReadOnlyList<UtcClaim> Claims,
        IReadOnlyList<ClockEvent> Events,
        long EventCount);
}

/// <summary>Something that happened to a host's clock between two samples.</summary>
/// <param name="AtNs">When the later sample was taken, in nanoseconds of <see cref="MonotonicClock"/>.</param>
/// <param name="Kind">What happened.</param>
/// <param name="ChangeNs">How far the wall clock moved, or how long the host slept; 0 for a rate.</param>
/// <param name="ChangePpm">By how much the rate changed; 0 for the others.</param>
public readonly record struct ClockEvent(long AtNs, ClockEventKind Kind, long ChangeNs, double ChangePpm);

/// <summary>What can happen to a clock while it is watched.</summary>
public enum ClockEventKind
{
    /// <summary>The wall clock was set: it moved against the monotonic one.</summary>
    WallClockStepped,

    /// <summary>The host slept: the monotonic clock stood still.</summary>
    Suspended,

    /// <summary>The monotonic clock began to run at another rate: something slews it.</summary>
    RateChanged,
}

/// <summary>
/// The clocks beside the one that stamps, on 64-bit Linux: CLOCK_MONOTONIC_RAW, which nobody slews, and
/// CLOCK_BOOTTIME, which does not stand still while the host sleeps. They show the slews and suspensions of a synthetic
/// clock, and nothing else of it.
/// </summary>
internal static class SystemClocks
{
    private const int Monotonic = 1;
    private const int MonotonicRaw = 4;
    private const int BootTime = 7;
    private const int Attempts = 16;

    /// <summary>The quickest of sixteen, each between two monotonic readings; null without such clocks.</summary>
    public static SystemClockSample? Sample()
    {
        if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
            return null;
        var raw = Sandwich(MonotonicRaw);
        var boot = Sandwich(BootTime);
        return raw is null || boot is null
            ? null
            : new SystemClockSample(
                raw.Value.AtNs + (SyntheticClock.OfProcess?.SlewedNs(raw.Value.AtNs) ?? 0),
                raw.Value.OtherNs,
                raw.Value.ErrorNs,
                boot.Value.OtherNs - boot.Value.AtNs + (SyntheticClock.OfProcess?.SuspendedNs(boot.Value.AtNs) ?? 0));
    }

    private static (long AtNs, long OtherNs, long ErrorNs)? Sandwich(int clock)
    {
        var narrowest = long.MaxValue;
        (long AtNs, long OtherNs, long ErrorNs) best = default;
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            if (!Pacer.TryRead(Monotonic, out var before)
                || !Pacer.TryRead(clock, out var other)
                || !Pacer.TryRead(Monotonic, out var after))
            {
                return null;
            }

            if (after - before >= narrowest)
                continue;
            narrowest = after - before;
            best = (before + (narrowest / 2), other, (narrowest + 1) / 2);
        }

        return best;
    }
}

/// <summary>The clocks of a host at one moment.</summary>
/// <param name="MonotonicNs">Its monotonic clock; of a synthetic one what is slewed, and no more.</param>
/// <param name="RawNs">The crystal's clock, which nobody slews.</param>
/// <param name="ErrorNs">How far the two readings may lie apart in time, either way.</param>
/// <param name="AsleepNs">
/// The clock that runs while the host sleeps, minus the monotonic one. Only its changes mean anything: a time namespace
/// shifts each clock by another amount.
/// </param>
internal readonly record struct SystemClockSample(long MonotonicNs, long RawNs, long ErrorNs, long AsleepNs)
{
    /// <summary>How much faster than the crystal the monotonic clock ran since an earlier sample, in ppm.</summary>
    public double RatePpmSince(SystemClockSample earlier)
    {
        var raw = RawNs - earlier.RawNs;
        return (MonotonicNs - earlier.MonotonicNs - raw) * 1e6 / raw;
    }

    public double RateErrorPpmSince(SystemClockSample earlier) =>
        (ErrorNs + earlier.ErrorNs) * 1e6 / (RawNs - earlier.RawNs);
}
