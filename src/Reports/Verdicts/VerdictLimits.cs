using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Verdicts;

/// <summary>Beyond these a run is not what was asked for, in every role.</summary>
public static class VerdictLimits
{
    /// <summary>Of what was asked for: with more missing, the 99th percentile of all is not known.</summary>
    public const double TolerableLoss = 0.01;

    /// <summary>The least of the rate that was asked for.</summary>
    public const double KeptRate = 0.99;

    // A rate is per second: what is asked for in less is judged over this.
    private const long LeastJudgedNs = 1_000_000_000;

    /// <summary>
    /// Why a schedule was not kept: less was sent than it asked for, or that took longer. Null where it was, and
    /// without one.
    /// </summary>
    /// <param name="name">Whose schedule.</param>
    /// <param name="asked">How many it asked for.</param>
    /// <param name="sent">How many of them were sent.</param>
    /// <param name="rates">The same per second.</param>
    /// <param name="scheduledNs">The time that it asked for, in nanoseconds.</param>
    /// <param name="tookNs">The time that it took, in nanoseconds.</param>
    public static string? ScheduleFault(
        string name, long? asked, long? sent, MessageRates rates, long scheduledNs, long tookNs)
    {
        var kept = (sent ?? 0) / Math.Max(1.0, asked ?? 0)
            * Math.Max(LeastJudgedNs, scheduledNs) / Math.Max(LeastJudgedNs, tookNs);
        return rates.Asked is { } rate && kept < KeptRate
            ? $"{name}: the schedule could not be kept: {Quantity.Rate(rates.Achieved ?? 0)} of {Quantity.Rate(rate)}."
            : null;
    }
}
