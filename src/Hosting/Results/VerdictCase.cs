using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Formats;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// The test case that passes where an exit code says no more than that conditions hold or do not: a document in which
/// nothing failed belongs to 0 only.
/// </summary>
public static class VerdictCase
{
    /// <param name="subject">Of what.</param>
    /// <param name="exitCode">What the process ends with.</param>
    /// <param name="reasons">Why, a sentence each.</param>
    public static JUnitCase Of(string subject, int exitCode, IEnumerable<string?> reasons) => new(
        subject, "verdict", exitCode is ExitCode.Valid or ExitCode.ThresholdMissed ? true : null,
        $"exit code {exitCode}: {string.Join(" ", reasons.OfType<string>())}".TrimEnd(' ', ':'));
}
