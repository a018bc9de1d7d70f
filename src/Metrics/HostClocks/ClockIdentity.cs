using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>
/// Which monotonic clock a process reads. Two processes of one boot and one time namespace read the same one: that is
/// a claim, which probes may refute (machines restored from one snapshot share a boot id), and the absence of it is no
/// claim of the contrary.
/// </summary>
/// <param name="BootId">Linux's random name of the boot; null where there is none, and nothing is claimed.</param>
/// <param name="TimeNamespace">
/// The time namespace (<c>time:[4026531834]</c>); null before Linux 5.6, which has but one. Its offsets are not read:
/// self-tests plant them as the truth to be found.
/// </param>
/// <param name="Host">The host's name, for people: containers of one boot have their own.</param>
public sealed record ClockIdentity(string? BootId, string? TimeNamespace, string Host)
{
    public static ClockIdentity Read() => Read(new HostFiles());

    /// <summary>Whether these two say that they are one clock.</summary>
    public bool ClaimsSameClock(ClockIdentity other) =>
        BootId is not null && BootId == other.BootId && TimeNamespace == other.TimeNamespace;

    internal static ClockIdentity Read(HostFiles files) => new(
        files.ReadText("proc/sys/kernel/random/boot_id"), files.ReadLink("proc/self/ns/time"), Environment.MachineName);
}
