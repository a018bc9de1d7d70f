namespace RedisLatency.Metrics.Offsets;

/// <summary>
/// Offsets as whole nanoseconds, and as doubles from a base: an offset may be 10^15 ns, where a double that must also
/// carry fractions would lose them.
/// </summary>
internal static class Nanoseconds
{
    /// <summary>Beyond this nothing is known: 36 years.</summary>
    private const double Limit = 1L << 60;

    public static double From(long ns, long baseNs) => (double)((Int128)ns - baseNs);

    public static long Below(double value, long baseNs) => Add(Math.Floor(value), baseNs);

    public static long Above(double value, long baseNs) => Add(Math.Ceiling(value), baseNs);

    public static long Nearest(double value, long baseNs) => Add(Math.Round(value), baseNs);

    public static long Width(double value) => Add(Math.Ceiling(value), 0);

    private static long Add(double value, long baseNs) =>
        baseNs + (long)(double.IsNaN(value) ? 0 : Math.Clamp(value, -Limit, Limit));
}
