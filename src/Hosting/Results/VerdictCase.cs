using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Formats;

namespace RedisLatency.Hosting.Results;

/// <summary>
/// The verdict as a test case of JUnit. It passes only where the exit code is 0 or 99: a document in which nothing
/// failed belongs to 0 only.
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
