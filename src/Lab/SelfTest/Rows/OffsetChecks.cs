using RedisLatency.Hosting.Output;
using RedisLatency.Lab.SelfTest.Findings;
using RedisLatency.Lab.SelfTest.Worlds;
using RedisLatency.Metrics.Clocks.Offsets;

namespace RedisLatency.Lab.SelfTest.Rows;

/// <summary>What must hold of θ, E and the drift in a world.</summary>
internal static class OffsetChecks
{
    // What lies so near to a step may be on either side: no probe was between.
    private const long StepSlackNs = 20_000_000;

    // A synthetic clock counts whole nanoseconds.
    private const long RoundingNs = 2;
    private const double PpmRounding = 0.001;

    /// <summary>What holds in every row: the truth is within all that is said of offset and drift.</summary>
    public static IEnumerable<Finding> Inside(Observation seen) => [TruthInside(seen), SkewInside(seen)];

    /// <summary>The truth is inside θ ± E: at both ends and within each window.</summary>
    public static Finding TruthInside(Observation seen)
    {
        var points = seen.Windows.SelectMany(window => PointsOf(window).Select(at => (Window: window, At: at)))
            .Where(point => !seen.Clocks.StepsBetween(point.At - StepSlackNs, point.At + StepSlackNs))
            .ToArray();
        var outside = points.Count(point =>
            ErrorAt(seen, point.Window, point.At) > point.Window.ErrorAt(point.At) + RoundingNs);
        return new Finding(
            $"truth in θ ± E, {Quantity.Count(seen.Windows.Count)} windows",
            "all",
            outside == 0 ? "all" : $"{outside} of {points.Length} not",
            outside == 0 && points.Length > 0);
    }

    /// <summary>How far θ is from the truth, at worst.</summary>
    public static Finding OffsetWithin(Observation seen, long atMostNs, long expectedNs = 0)
    {
        var errors = seen.Windows.Where(IsMeasured)
            .Where(window => !seen.Clocks.StepsBetween(window.StartNs - StepSlackNs, window.EndNs + StepSlackNs))
            .Select(window => window.OffsetNs - seen.Clocks.OffsetAt(window.ReferenceNs))
            .ToArray();
        var worst = errors.Length == 0 ? 0 : errors.MaxBy(error => Math.Abs(error - expectedNs));
        return new Finding(
            "θ less the truth, farthest",
            expectedNs == 0 ? $"within {Amount.Of(atMostNs)}" : $"{Amount.Of(expectedNs)} ± {Amount.Of(atMostNs)}",
            errors.Length == 0 ? Quantity.None : Amount.Of(worst),
            errors.Length > 0 && Math.Abs(worst - expectedNs) <= atMostNs);
    }

    /// <summary>The median E of the windows lies between two bounds.</summary>
    public static Finding ErrorBetween(Observation seen, long leastNs, long mostNs)
    {
        var error = seen.Pair.Offset?.ErrorMedianNs;
        return new Finding(
            "E, median of the windows",
            leastNs == 0 ? $"at most {Amount.Of(mostNs)}" : $"{Amount.Of(leastNs)} to {Amount.Of(mostNs)}",
            error is { } known ? Amount.Of(known) : Quantity.None,
            error >= leastNs && error <= mostNs);
    }

    /// <summary>The true drift is inside the feasible interval of each window.</summary>
    public static Finding SkewInside(Observation seen)
    {
        var windows = seen.Windows.Where(window => !seen.Clocks.StepsBetween(window.StartNs, window.EndNs)).ToArray();
        var outside = windows.Count(window =>
            seen.Clocks.SkewPpm(window.StartNs, window.EndNs) is var skew
            && (skew < window.SkewLowPpm - Rounding(window) || skew > window.SkewHighPpm + Rounding(window)));
        return new Finding(
            "drift inside its interval",
            "always",
            outside == 0 ? "always" : $"{outside} of {windows.Length} not",
            outside == 0 && windows.Length > 0);
    }

    /// <summary>The drift at the end of the run.</summary>
    public static Finding SkewWithin(Observation seen, double atMostPpm)
    {
        var reported = seen.Pair.Offset?.SkewPpm;
        var last = seen.Windows.Count > 0 ? seen.Windows[^1] : null;
        var truth = last is null ? double.NaN : seen.Clocks.SkewPpm(last.StartNs, last.EndNs);
        return new Finding(
            $"drift, within {atMostPpm:0.#} ppm",
            Amount.Ppm(truth),
            reported is { } known ? Amount.Ppm(known) : Quantity.None,
            reported is { } skew && Math.Abs(skew - truth) <= atMostPpm);
    }

    private static double Rounding(OffsetWindow window) =>
        PpmRounding + (RoundingNs * 1e6 / Math.Max(1, window.EndNs - window.StartNs));

    private static bool IsMeasured(OffsetWindow window) => window.Probes > 0;

    private static long ErrorAt(Observation seen, OffsetWindow window, long producerNs) =>
        Math.Abs(window.OffsetAt(producerNs) - seen.Clocks.OffsetAt(producerNs));

    private static IEnumerable<long> PointsOf(OffsetWindow window)
    {
        const int parts = 8;
        for (var part = 0; part < parts; part++)
            yield return window.StartNs + ((window.EndNs - window.StartNs) * part / parts);
        yield return window.ReferenceNs;
        yield return window.EndNs - 1;
    }
}
