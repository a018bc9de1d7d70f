using System.Globalization;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Claims;

/// <summary>chrony's documented bound: the correction left, the root dispersion and half the root delay.</summary>
internal static class ChronyClaim
{
    private const int NotSynchronised = 3;
    private const uint LocalReference = 0x7F7F0101;
    private const uint Loopback = 127;

    // NTP's reachability register holds eight polls, of at least 64 s.
    private const int Polls = 8;
    private const double LeastPoll = 64;

    // Its own arithmetic, and a clock that is slewed while it answers.
    private const double FutureSlack = 0.1;

    // A chain from a real clock is a few hops long; `local` is served at 8 (chrony's FAQ) or 10 (the default), so that
    // a chain from a real one is preferred, and tracking does not say what the source's own source is.
    private const int MostStratum = 8;

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
        if (reply.ReferenceId >> 24 == Loopback)
            return "chronyd follows another daemon of its own host (127.…), which is its own clock again, nobody's UTC";
        if (reply.Stratum > MostStratum)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"chronyd is at stratum {reply.Stratum}: what it follows is somebody's own clock (local), "
                    + $"nobody's UTC");
        }

        var age = (WallClockMapping.ToUnixNs(now) / 1e9) - reply.ReferenceTime;
        if (age < -FutureSlack)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"chronyd last updated its clock in {-age:0.#} s from now: a clock was set since, or the report "
                    + $"is wrong");
        }

        if (age > Polls * Math.Max(reply.UpdateInterval, LeastPoll))
        {
            return string.Create(
                CultureInfo.InvariantCulture, $"chronyd last updated its clock {age:0} s ago, eight polls and more");
        }

        return error is > 0 and < 1
            ? null
            : string.Create(CultureInfo.InvariantCulture, $"an error of {error:0.#} s bounds nothing");
    }
}
