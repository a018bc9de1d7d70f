using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Claims;

/// <summary>What adjtimex(2) says of the wall clock; reading needs no rights.</summary>
/// <param name="State">What the call returned: 0 to 4 in order, 5 for TIME_ERROR, -1 where it failed.</param>
/// <param name="Status">The STA_ flags.</param>
/// <param name="MaximumErrorUs">
/// What the daemon last set, plus 500 µs a second since (kernel/time/ntp.c), in microseconds.
/// </param>
/// <param name="EstimatedErrorUs">What the daemon set, in microseconds.</param>
/// <param name="Failure">Why it could not be read.</param>
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
