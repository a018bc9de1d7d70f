using System.Globalization;

namespace RedisLatency.Metrics.Claims;

/// <summary>Whether what the kernel says of the wall clock bounds anything.</summary>
internal static class KernelClaim
{
    private const int TimeError = 5;
    private const int Unsynchronised = 0x40;
    private const long MostUs = 1_000_000;

    public static UtcClaim Judge(KernelClock clock, long atNs)
    {
        var refusal = Refusal(clock);
        if (refusal is not null)
        {
            return UtcClaim.Refuse(
                UtcClaimSource.Kernel, atNs, refusal, clock.Failure is null ? clock.MaximumErrorUs * 1_000 : -1);
        }

        return UtcClaim.Accept(UtcClaimSource.Kernel, atNs, clock.MaximumErrorUs * 1_000);
    }

    private static string? Refusal(KernelClock clock)
    {
        if (clock.Failure is not null)
            return clock.Failure;
        if (clock.State == TimeError || (clock.Status & Unsynchronised) != 0)
            return "the kernel says that nobody synchronises the clock";
        // systemd-timesyncd sets both errors to zero at every adjustment; chrony with a PHC can round to it.
        if (clock.EstimatedErrorUs <= 0)
            return "an estimated error of 0 is no bound: systemd-timesyncd reports 0";
        return clock.MaximumErrorUs < MostUs
            ? null
            : string.Create(
                CultureInfo.InvariantCulture, $"a maximum error of {clock.MaximumErrorUs / 1e6:0.#} s bounds nothing");
    }
}
