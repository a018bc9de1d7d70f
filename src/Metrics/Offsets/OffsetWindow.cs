using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>
/// The offset of B's clock from A's during a piece of A's time: a line, and how far the truth may be from it.
/// Windows are contiguous, of a second or, around a step, less.
/// </summary>
public sealed record OffsetWindow
{
    private const double PerMillion = 1e-6;

    /// <summary>The first instant of the window, on A's clock, in nanoseconds.</summary>
    public required long StartNs { get; init; }

    /// <summary>The first instant after it.</summary>
    public required long EndNs { get; init; }

    /// <summary>The instant at which the line is given: the middle of the window.</summary>
    public required long ReferenceNs { get; init; }

    /// <summary>B minus A at <see cref="ReferenceNs"/>, in nanoseconds: the middle of all that is possible.</summary>
    public required long OffsetNs { get; init; }

    /// <summary>How fast B gains on A, in parts per million: the slope of the line.</summary>
    public required double SkewPpm { get; init; }

    /// <summary>The least rate that the probes allow at any instant of the window.</summary>
    public required double SkewLowPpm { get; init; }

    /// <summary>The greatest.</summary>
    public required double SkewHighPpm { get; init; }

    /// <summary>The bound at <see cref="StartNs"/>, in nanoseconds.</summary>
    public required long ErrorAtStartNs { get; init; }

    /// <summary>The bound at <see cref="ReferenceNs"/>: half the width of all that is possible there.</summary>
    public required long ErrorAtReferenceNs { get; init; }

    /// <summary>The bound at <see cref="EndNs"/>.</summary>
    public required long ErrorAtEndNs { get; init; }

    /// <summary>How fast the bound grows beyond the window, in parts per million: the drift bound.</summary>
    public required double DriftPpm { get; init; }

    /// <summary>How far either crystal was thought to run from true time when the window was made, in ppm.</summary>
    public double OscillatorPpm { get; init; }

    /// <summary>
    /// Whether anything bounds the offset. Where nothing does (no probe between two jumps, or none at all), the offset,
    /// its bounds and the step are not known, and 0.
    /// </summary>
    public bool IsBounded { get; init; } = true;

    /// <summary>
    /// The largest bound of any instant in the window, in nanoseconds; without a bound the largest number.
    /// </summary>
    public long ErrorNs =>
        !IsBounded ? long.MaxValue : Math.Max(
            LargestBetween(ErrorAtStartNs, ErrorAtReferenceNs, ReferenceNs - StartNs),
            LargestBetween(ErrorAtReferenceNs, ErrorAtEndNs, EndNs - ReferenceNs));

    /// <summary>The least offset that the probes alone allow at <see cref="ReferenceNs"/>.</summary>
    public required long ProbeLowNs { get; init; }

    /// <summary>The greatest.</summary>
    public required long ProbeHighNs { get; init; }

    /// <summary>Probes sent in the window that bound the offset.</summary>
    public int Probes { get; init; }

    /// <summary>Coded pairs sent in the window that met no queue in either direction.</summary>
    public int Accepted { get; init; }

    /// <summary>Probes sent in the window that contradict the others: while there are any, it is not proven.</summary>
    public int Contradicting { get; init; }

    /// <summary>
    /// The shortest time that the two paths took together in the window, in nanoseconds; -1 where no probe was sent.
    /// </summary>
    public long MinNetworkNs { get; init; } = -1;

    /// <summary>
    /// The offset at <see cref="ReferenceNs"/> from the coded pairs that met no queue: a cross-check, without a proof;
    /// null where there are none.
    /// </summary>
    public long? CodedOffsetNs { get; init; }

    /// <summary>What parts it from the window before it.</summary>
    public OffsetBreak Break { get; init; }

    /// <summary>By how much the offset jumped in this window, in nanoseconds; 0 without a step.</summary>
    public long StepNs { get; init; }

    /// <summary>How far <see cref="StepNs"/> may be from the truth; null where nothing bounds a side of it.</summary>
    public long? StepErrorNs { get; init; } = 0;

    /// <summary>What was claimed of it by others than the probes.</summary>
    public IReadOnlyList<JudgedClaim> Claims { get; init; } = [];

    /// <summary>
    /// The same window by the probes alone, where claims narrow it: all that is left should one be refuted later.
    /// </summary>
    public OffsetWindow? ByProbes { get; init; }

    /// <summary>Whether the bound is proven under the assumptions: all claims agree with all probes.</summary>
    public bool IsProven { get; init; }

    /// <summary>Whether a claim is refuted; the window then rests on the probes alone.</summary>
    public bool IsContradicted { get; init; }

    /// <summary>
    /// The same with what probes showed of the crystals later: its rates were cut at less. The bound stays: each quick
    /// probe of the window is within it, whatever the drift.
    /// </summary>
    /// <param name="oscillatorPpm">How far either crystal may run from true time, in parts per million.</param>
    public OffsetWindow WithOscillator(double oscillatorPpm)
    {
        var more = Math.Max(0, 2 * (oscillatorPpm - OscillatorPpm));
        return this with
        {
            SkewLowPpm = SkewLowPpm - more,
            SkewHighPpm = SkewHighPpm + more,
            DriftPpm = DriftPpm + more,
            OscillatorPpm = Math.Max(OscillatorPpm, oscillatorPpm),
        };
    }

    /// <summary>B minus A at an instant of A's clock, in nanoseconds.</summary>
    /// <param name="producerNs">The instant; outside the window the line is drawn on.</param>
    public long OffsetAt(long producerNs) =>
        OffsetNs + (long)Math.Round(SkewPpm * PerMillion * (producerNs - ReferenceNs));

    /// <summary>How far <see cref="OffsetAt"/> may be from the truth at an instant of A's clock, in ns.</summary>
    /// <param name="producerNs">The instant; outside the window the bound grows by the drift bound.</param>
    public long ErrorAt(long producerNs)
    {
        if (!IsBounded)
            return long.MaxValue;
        if (producerNs < StartNs)
            return ErrorAtStartNs + Growth(BeyondPpm, StartNs - producerNs);
        if (producerNs > EndNs)
            return ErrorAtEndNs + Growth(BeyondPpm, producerNs - EndNs);
        var (before, after, fromNs, toNs) = producerNs < ReferenceNs
            ? (ErrorAtStartNs, ErrorAtReferenceNs, StartNs, ReferenceNs)
            : (ErrorAtReferenceNs, ErrorAtEndNs, ReferenceNs, EndNs);
        return Math.Min(before + Growth(WithinPpm, producerNs - fromNs), after + Growth(WithinPpm, toNs - producerNs));
    }

    // The truth leaves the line no faster than the widest difference of their slopes.
    private double WithinPpm => Math.Max(SkewHighPpm - SkewPpm, SkewPpm - SkewLowPpm);

    private double BeyondPpm => DriftPpm + Math.Abs(SkewPpm);

    private static long Growth(double ppm, long distanceNs) => (long)Math.Ceiling(ppm * PerMillion * distanceNs);

    private long LargestBetween(long before, long after, long lengthNs)
    {
        var farthest = (before + after + Growth(WithinPpm, lengthNs)) / 2;
        return Math.Max(Math.Max(before, after), Math.Min(farthest + 1,
            Math.Min(before, after) + Growth(WithinPpm, lengthNs)));
    }
}

/// <summary>A claim as it stood in one window, grown by drift to the window's reference.</summary>
/// <param name="Name">Whose word.</param>
/// <param name="Kind">What it rests on.</param>
/// <param name="LowNs">The least offset it allows at the window's reference, in nanoseconds.</param>
/// <param name="HighNs">The most.</param>
/// <param name="Agrees">
/// Whether it meets the probes' interval and the other claims. One that does not is a falseticker: the window then
/// rests on the probes alone.
/// </param>
public sealed record JudgedClaim(string Name, OffsetClaimKind Kind, long LowNs, long HighNs, bool Agrees);
