using System.Globalization;

namespace RedisLatency.Reports.MetricSets;

/// <summary>A time in which nothing was answered although something waited for it.</summary>
/// <param name="AfterNs">How long after the start it began, in nanoseconds.</param>
/// <param name="LengthNs">How long it was.</param>
public readonly record struct Silence(long AfterNs, long LengthNs)
{
    /// <summary>As a sentence without its end: nothing was answered for 2.0 s at 0:03.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"nothing was answered for {LengthNs / 1e9:0.0} s at {AfterNs / 60_000_000_000}:"
        + $"{AfterNs / 1_000_000_000 % 60:00}");
}
