using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Messaging.OneWay;

/// <summary>A window of the offset as a producer tells it to a consumer; times in nanoseconds.</summary>
/// <param name="StartNs">The first instant of the window, on the producer's clock.</param>
/// <param name="EndNs">The first instant after it.</param>
/// <param name="ReferenceNs">The instant at which the line is given.</param>
/// <param name="OffsetNs">The consumer's clock minus the producer's then.</param>
/// <param name="ErrorNs">The largest bound of any instant in the window.</param>
/// <param name="SkewPpm">How fast the consumer's clock gains on the producer's.</param>
/// <param name="DriftPpm">How fast the bound grows beyond the window.</param>
/// <param name="Break">What parts it from the window before it.</param>
/// <param name="IsProven">Whether the bound is proven.</param>
public readonly record struct PublishedWindow(
    long StartNs,
    long EndNs,
    long ReferenceNs,
    long OffsetNs,
    long ErrorNs,
    double SkewPpm,
    double DriftPpm,
    OffsetBreak Break,
    bool IsProven)
{
    private const double Whole = 1e6;

    /// <summary>Whether the producer's clock is a synthetic one: no latency by this window is true.</summary>
    public bool IsSynthetic { get; init; }

    /// <summary>Whether there can be such a window: what comes from a network may be anything.</summary>
    public bool IsPossible => StartNs >= 0 && EndNs > StartNs && ReferenceNs >= StartNs && ReferenceNs <= EndNs
        && ErrorNs >= 0 && Math.Abs(SkewPpm) < Whole && DriftPpm >= 0 && DriftPpm < Whole && Enum.IsDefined(Break);

    /// <summary>What is told of a window.</summary>
    public static PublishedWindow Of(OffsetWindow window)
    {
        ArgumentNullException.ThrowIfNull(window);
        return new PublishedWindow(
            window.StartNs, window.EndNs, window.ReferenceNs, window.OffsetNs, window.ErrorNs, window.SkewPpm,
            window.DriftPpm, window.Break, window.IsProven);
    }

    /// <summary>The window, its bound everywhere the largest.</summary>
    public OffsetWindow ToWindow() => new()
    {
        StartNs = StartNs,
        EndNs = EndNs,
        ReferenceNs = ReferenceNs,
        OffsetNs = OffsetNs,
        SkewPpm = SkewPpm,
        SkewLowPpm = SkewPpm,
        SkewHighPpm = SkewPpm,
        DriftPpm = DriftPpm,
        ErrorAtStartNs = ErrorNs,
        ErrorAtReferenceNs = ErrorNs,
        ErrorAtEndNs = ErrorNs,
        ProbeLowNs = OffsetNs - ErrorNs,
        ProbeHighNs = OffsetNs + ErrorNs,
        Break = Break,
        IsProven = IsProven,
    };
}
