using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Lab.SelfTest;

/// <summary>What must hold of θ, E and the drift in a world.</summary>
internal static class OffsetChecks
{
    // What lies so near to a step may be on either side: no probe was between.
    private const long StepSlackNs = 20_000_000;

    // A synthetic clock counts whole nanoseconds.
    private const long RoundingNs = 2;
    private const double PpmRounding = 0.001;

    /// <summary>What holds in every row: the truth is within all that is said of the offset.</summary>
    public static IEnumerable<Finding> Inside(Observation seen) =>
        [TruthInside(seen, seen.Windows, "windows"), NoSentinel(seen)];

    // And of the drift, where the ways are so short that its interval tells more than what is assumed of crystals:
    // elsewhere no drift of a crystal could leave it.
    public static IEnumerable<Finding> InsideWithDrift(Observation seen) =>
        [.. Inside(seen), SkewInside(seen, seen.Windows)];

    // What holds where clocks do what no bound can foresee: the truth is within all that is said to be proven, and so
    // much is.
    public static IEnumerable<Finding> ProvenInside(Observation seen, double leastShare)
    {
        OffsetWindow[] proven = [.. seen.Windows.Where(window => window.IsProven)];
        var share = proven.Sum(window => (double)window.EndNs - window.StartNs)
            / seen.Windows.Sum(window => (double)window.EndNs - window.StartNs);
        return
        [
            TruthInside(seen, proven, "proven windows"),
            new Finding("proven, of the time", $"at least {leastShare:0 %}", $"{share:0.0 %}", share >= leastShare),
            NoSentinel(seen),
        ];
    }

    /// <summary>The truth is inside θ ± E: at windows' ends, within them, and on both sides of a break.</summary>
    public static Finding TruthInside(Observation seen, IReadOnlyCollection<OffsetWindow> windows, string what)
    {
        var points = windows.Where(window => window.IsBounded)
            .SelectMany(window => PointsOf(seen, window).Select(at => (Window: window, At: at))).ToArray();
        var excess = points.Select(point =>
            ErrorAt(seen, point.Window, point.At) - point.Window.ErrorAt(point.At) - RoundingNs).ToArray();
        var outside = excess.Count(by => by > 0);
        return new Finding(
            $"truth in θ ± E, {Quantity.Count(windows.Count)} {what}",
            "all",
            outside == 0 ? "all" : $"{outside} of {points.Length} not, by up to {Amount.Of(excess.Max())}",
            outside == 0 && points.Length > 0);
    }

    /// <summary>What is not known is printed as such, and not as a number that means it.</summary>
    public static Finding NoSentinel(Observation seen)
    {
        var found = seen.Windows.SelectMany(ValuesOf).Concat(ValuesOf(seen.Pair)).Where(IsSentinel).ToArray();
        return new Finding(
            "numbers that no clock can have", "none", found.Length == 0 ? "none" : Amount.Of(found[0]),
            found.Length == 0);
    }

    /// <summary>How far θ is from the truth, at worst: so much, and what the machine adds.</summary>
    public static Finding OffsetWithin(Observation seen, long atMostNs, long expectedNs = 0)
    {
        atMostNs += MachineNoise.Of(seen);
        var errors = seen.Windows.Where(IsMeasured)
            .Where(window => !seen.Clocks.BreaksBetween(window.StartNs - StepSlackNs, window.EndNs + StepSlackNs))
            .Select(window => window.OffsetNs - seen.Clocks.OffsetAt(window.ReferenceNs))
            .ToArray();
        var worst = errors.Length == 0 ? 0 : errors.MaxBy(error => Math.Abs(error - expectedNs));
        return new Finding(
            "θ less the truth, farthest",
            expectedNs == 0 ? $"within {Amount.Of(atMostNs)}" : $"{Amount.Of(expectedNs)} ± {Amount.Of(atMostNs)}",
            errors.Length == 0 ? Quantity.None : Amount.Of(worst),
            errors.Length > 0 && Math.Abs(worst - expectedNs) <= atMostNs);
    }

    /// <summary>How sharp the bound is: at most so much, and what the machine adds.</summary>
    public static Finding ErrorBetween(Observation seen, long leastNs, long mostNs)
    {
        mostNs += MachineNoise.Of(seen);
        var error = seen.Pair.Offset?.ErrorMedianNs;
        return new Finding(
            "E, median of the windows",
            leastNs == 0 ? $"at most {Amount.Of(mostNs)}" : $"{Amount.Of(leastNs)} to {Amount.Of(mostNs)}",
            error is { } known ? Amount.Of(known) : Quantity.None,
            error >= leastNs && error <= mostNs);
    }

    /// <summary>The true drift is inside the feasible interval of each window.</summary>
    public static Finding SkewInside(Observation seen, IEnumerable<OffsetWindow> judged)
    {
        var windows = judged.Where(window => !seen.Clocks.BreaksBetween(window.StartNs, window.EndNs)).ToArray();
        var outside = windows.Count(window =>
            seen.Clocks.SkewPpm(window.StartNs, window.EndNs) is var skew
            && (skew < window.SkewLowPpm - Rounding(window) || skew > window.SkewHighPpm + Rounding(window)));
        return new Finding(
            "drift inside its interval",
            "always",
            outside == 0 ? $"always, ± {WidthPpm(windows):0.0} ppm" : $"{outside} of {windows.Length} not",
            outside == 0 && windows.Length > 0);
    }

    // The interval of the drift tells more than what crystals are assumed to do: the slopes of lines through a gap
    // that is as wide as the noise and as long as the run. On a machine that is slow just now it is wider: a bend may
    // hide behind the quickest round trip (2 E) on the shorter side of a window: five seconds that windows look ahead,
    // and where the run is short a quarter of it, as the median window lies halfway between the middle and an end.
    public static Finding SkewNarrow(Observation seen, long noiseNs)
    {
        const double LookAheadNs = 5e9;
        var runNs = seen.Windows.Count > 0 ? seen.Windows[^1].EndNs - seen.Windows[0].StartNs : 0;
        var sideNs = Math.Clamp(runNs / 4.0, 1, LookAheadNs);
        var hiddenPpm = 2 * (seen.Pair.Offset?.ErrorMedianNs ?? 0) / sideNs * 1e6;
        var atMostPpm = Math.Max(PpmOf(seen, noiseNs), hiddenPpm);
        var width = WidthPpm(seen.Windows);
        return new Finding(
            "half of its interval, median", $"at most {atMostPpm:0.#} ppm", Amount.Ppm(width), width <= atMostPpm);
    }

    /// <summary>The drift at the end of the run, where the noise lets a line turn by so much.</summary>
    public static Finding SkewNear(Observation seen, long noiseNs) => SkewWithin(seen, PpmOf(seen, noiseNs));

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

    private static IEnumerable<double> ValuesOf(OffsetWindow window) =>
    [
        window.OffsetNs, window.ErrorAtStartNs, window.ErrorAtReferenceNs, window.ErrorAtEndNs, window.ProbeLowNs,
        window.ProbeHighNs, window.StepNs, window.StepErrorNs ?? 0,
    ];

    private static IEnumerable<double> ValuesOf(OneWayPair pair) =>
    [
        .. pair.Offset is { } offset ? new double[] { offset.OffsetNs, offset.ErrorMedianNs, offset.ErrorWorstNs } : [],
        .. pair.Series.SelectMany(series => new double[]
        {
            series.ErrorNs, series.Mean ?? 0, series.Min ?? 0, series.Max ?? 0,
        }),
    ];

    // 18 years.
    private static bool IsSentinel(double ns) => !double.IsFinite(ns) || Math.Abs(ns) >= 1L << 59;

    private static double PpmOf(Observation seen, long noiseNs) =>
        (noiseNs + MachineNoise.Of(seen)) * 1e6 / seen.World.Length.TotalNanoseconds;

    // Half of the median.
    private static double WidthPpm(IReadOnlyCollection<OffsetWindow> windows) => windows.Count == 0
        ? double.NaN
        : windows.Select(window => (window.SkewHighPpm - window.SkewLowPpm) / 2).Order().ElementAt(windows.Count / 2);

    private static double Rounding(OffsetWindow window) =>
        PpmRounding + (RoundingNs * 1e6 / Math.Max(1, window.EndNs - window.StartNs));

    private static bool IsMeasured(OffsetWindow window) => window is { Probes: > 0, IsBounded: true };

    private static long ErrorAt(Observation seen, OffsetWindow window, long producerNs) =>
        Math.Abs(window.OffsetAt(producerNs) - seen.Clocks.OffsetAt(producerNs));

    private static IEnumerable<long> PointsOf(Observation seen, OffsetWindow window)
    {
        const int parts = 8;
        var even = Enumerable.Range(0, parts)
            .Select(part => window.StartNs + ((window.EndNs - window.StartNs) * part / parts));
        var around = seen.Clocks.BreaksNs.SelectMany(at => new[] { at - RoundingNs, at + RoundingNs })
            .Where(at => at >= window.StartNs && at < window.EndNs);
        return [.. even.Append(window.ReferenceNs).Append(window.EndNs - 1).Concat(around).Where(seen.Clocks.IsRead)];
    }
}
