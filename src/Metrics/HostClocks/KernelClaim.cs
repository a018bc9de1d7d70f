using System.Globalization;
using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.HostClocks;

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
            return "the kernel reports that the clock is not synchronised";
        // systemd-timesyncd sets both errors to zero at every adjustment; chrony with a PHC can round to it.
        if (clock.EstimatedErrorUs <= 0)
            return "an estimated error of 0 is no bound: systemd-timesyncd reports 0";
        return clock.MaximumErrorUs < MostUs
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"a maximum error of {clock.MaximumErrorUs / 1e6:0.#} s is too large to be a bound");
    }
}

/// <summary>
/// What adjtimex(2) says of the wall clock; reading needs no rights. The state is what it returned: 5 is TIME_ERROR, -1
/// a failure. The maximum error is what the daemon last set, plus 500 µs a second since (kernel/time/ntp.c).
/// </summary>
internal sealed partial record KernelClock(
    int State, int Status, long MaximumErrorUs, long EstimatedErrorUs, string? Failure)
{
    public static KernelClock Read()
    {
        if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
            return Failed("only 64-bit Linux has adjtimex as it is read here");
        try
        {
            var time = new Timex();
            var state = AdjustTime(ref time);
            return state >= 0
                ? new KernelClock(state, time.Status, time.MaximumError, time.EstimatedError, null)
                : Failed(Reason(Marshal.GetLastPInvokeError()));
        }
        catch (Exception exception) when (exception is DllNotFoundException or EntryPointNotFoundException)
        {
            return Failed("this system's C library has no adjtimex");
        }
    }

    public static KernelClock Failed(string failure) => new(-1, 0, 0, 0, failure);

    // Sandboxes deny the call though reading asks for nothing: seccomp filters, ProtectClock= of systemd.
    private static string Reason(int error) => error switch
    {
        1 or 38 => "adjtimex is denied here (seccomp, or ProtectClock= of the service)",
        _ => $"adjtimex failed: {Marshal.GetPInvokeErrorMessage(error)}",
    };

    // musl lacks ntp_adjtime, and every C library has this one.
    [LibraryImport("libc", EntryPoint = "adjtimex", SetLastError = true)]
    private static partial int AdjustTime(ref Timex time);

    // struct timex of 64-bit Linux, of which modes (0: read only) stays zero.
    [StructLayout(LayoutKind.Explicit, Size = 208)]
    private struct Timex
    {
        [FieldOffset(24)]
        public long MaximumError;

        [FieldOffset(32)]
        public long EstimatedError;

        [FieldOffset(40)]
        public int Status;
    }
}
