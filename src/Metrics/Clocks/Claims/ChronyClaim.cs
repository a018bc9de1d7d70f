using System.Globalization;

namespace RedisLatency.Metrics.Clocks.Claims;

/// <summary>
/// Whether what chronyd says bounds the wall clock's error, by the formula of chrony's documentation: the correction
/// still to be made, the root dispersion and half the root delay.
/// </summary>
internal static class ChronyClaim
{
    private const int NotSynchronised = 3;
    private const uint LocalReference = 0x7F7F0101;

    // NTP's reachability register holds eight polls, of at least 64 s.
    private const int Polls = 8;
    private const double LeastPoll = 64;

    public static UtcClaim Judge(ChronyAnswer answer, long atNs, DateTimeOffset now)
    {
        if (answer.Reply is not { } reply)
            return UtcClaim.Refuse(UtcClaimSource.Chrony, atNs, answer.Failure ?? "chronyd is not running");
        var error = Math.Abs(reply.CurrentCorrection) + reply.RootDispersion + (reply.RootDelay / 2);
        if (Refusal(reply, error, now) is { } refusal)
            return UtcClaim.Refuse(UtcClaimSource.Chrony, atNs, refusal);
        return UtcClaim.Accept(
            UtcClaimSource.Chrony,
            atNs,
            (long)Math.Ceiling(error * 1e9),
            note: reply.RootDelay == 0
                ? "a root delay of 0 is a reference clock's: its own error is not in the bound"
                : null);
    }

    private static string? Refusal(ChronyReply reply, double error, DateTimeOffset now)
    {
        if (reply.LeapStatus == NotSynchronised || reply.Stratum == 0 || reply.ReferenceId == 0)
            return "chronyd is not synchronised";
        if (reply.ReferenceId == LocalReference)
            return "chronyd serves its own clock (local), which is nobody's UTC";
        var age = (WallClockMapping.ToUnixNs(now) / 1e9) - reply.ReferenceTime;
        if (Math.Abs(age) > Polls * Math.Max(reply.UpdateInterval, LeastPoll))
        {
            return string.Create(
                CultureInfo.InvariantCulture, $"chronyd last updated its clock {age:0} s ago, eight polls and more");
        }

        return error is > 0 and < 1
            ? null
            : string.Create(CultureInfo.InvariantCulture, $"an error of {error:0.#} s bounds nothing");
    }
}
