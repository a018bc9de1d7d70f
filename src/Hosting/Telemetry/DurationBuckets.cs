using System.Diagnostics.Metrics;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// The buckets of durations in seconds, from 25 µs to 10 s: those that OpenTelemetry advises for databases begin at 1
/// ms, which a Redis nearby never comes to.
/// </summary>
public static class DurationBuckets
{
    /// <summary>As an instrument takes them.</summary>
    public static InstrumentAdvice<double> Advice { get; } = new()
    {
        HistogramBucketBoundaries =
        [
            25e-6, 50e-6, 75e-6, 1e-4, 1.5e-4, 2e-4, 3e-4, 5e-4, 7.5e-4, 1e-3, 1.5e-3, 2e-3, 3e-3, 5e-3, 1e-2, 2.5e-2,
            5e-2, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
        ],
    };
}
