using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>The clock that stamped what was served, and who asked for its time.</summary>
internal sealed class ServedClockSection(RunRecord record)
{
    public void WriteTo(TextWriter writer)
    {
        if (record.Clock is not { } clock)
            return;
        writer.Heading("CLOCK");
        writer.Line($"clock: {clock.Kind}, {RateOf(clock)}{SleepOf(clock)}");
        foreach (var claim in clock.Claims)
            writer.Line(ClaimOf(claim));
        foreach (var service in record.ProbeServices)
            writer.Line(ServiceOf(service));
    }

    private static string RateOf(HostClock clock) => clock.RatePpm is { } rate
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"{rate:+0.###;-0.###;0} ppm against its crystal at the end (±{clock.RateErrorPpm ?? 0:0.###})")
        : $"rate {clock.RateSource}";

    private static string SleepOf(HostClock clock) => clock.SuspendedNs > 0
        ? $"; the host slept for {Quantity.Elapsed(TimeSpan.FromNanoseconds(clock.SuspendedNs))}"
        : string.Empty;

    private static string ClaimOf(HostClaim claim)
    {
        var error = claim.ErrorNs is { } ns
            ? $" ±{Quantity.Duration(ns, Quantity.UnitFor(ns))} {Quantity.Symbol(Quantity.UnitFor(ns))}"
            : string.Empty;
        var reason = claim.Reason is { } text ? $": {text}" : string.Empty;
        return $"UTC by {claim.Source}{error}: {(claim.Accepted ? "accepted" : "refused")}{reason}";
    }

    private static string ServiceOf(ProbeService service)
    {
        var refused = new (long Count, string Why)[]
        {
            (service.Unauthenticated, "without the run's key"),
            (service.WrongSize, "of another size"),
            (service.Foreign, "foreign"),
            (service.OtherVersion, "of another version"),
            (service.Repeated, "replayed"),
            (service.OverRate, "over the rate"),
            (service.Unsent, "could not be sent"),
        };
        var ignored = string.Join(", ", refused.Where(count => count.Count > 0)
            .Select(count => $"{Quantity.Count(count.Count)} {count.Why}"));
        return $"clock probes at {service.Address}: answered {Quantity.Count(service.Answered)}"
            + (ignored.Length > 0 ? $"; not answered: {ignored}" : string.Empty)
            + (service.Problem is { } problem ? $"; {problem}" : string.Empty);
    }
}
