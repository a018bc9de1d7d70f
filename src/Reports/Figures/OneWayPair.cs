namespace RedisLatency.Reports.Figures;

/// <summary>
/// One-way latency between a producer and one of its consumers. θ is the consumer's clock minus the producer's, E the
/// half-width of what it may be: forward = received − sent − θ, back = returned − echoed + θ. Every window of θ is in
/// <c>clock.ndjson</c>.
/// </summary>
public sealed record OneWayPair
{
    private const double MostOfGradeA = 0.05;
    private const double MostOfGradeB = 0.25;
    private const double MostOfGradeC = 1;

    /// <summary>The consumer, as it called itself.</summary>
    public required string Consumer { get; init; }

    /// <summary>Where the consumer stood, as it said; null where it did not.</summary>
    public string? Region { get; init; }

    /// <summary>How the consumer's process signed its echoes, in hexadecimal: the same in clock.ndjson.</summary>
    public required string ConsumerId { get; init; }

    /// <summary>
    /// What θ rests on: same-clock, probes, or probes∩ and the claims that were intersected with them, such as
    /// probes∩utc.
    /// </summary>
    public required string ClockMode { get; init; }

    /// <summary>Whether either clock was a synthetic one, for a test: such a run is never valid.</summary>
    public bool IsSynthetic { get; init; }

    /// <summary>How good the numbers are; null where there are none.</summary>
    public OneWayGrade? Grade { get; init; }

    /// <summary>Which numbers to read first.</summary>
    public OneWayHeadline Headline { get; init; }

    /// <summary>Why this grade and headline, a sentence each.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>What is known of θ; null where no probe came through.</summary>
    public PairOffset? Offset { get; init; }

    /// <summary>The probes that θ was found by.</summary>
    public ProbeCounts Probes { get; init; } = new();

    /// <summary>What was claimed of the two clocks, and what became of it.</summary>
    public IReadOnlyList<ClockClaim> Claims { get; init; } = [];

    /// <summary>What the bound E takes for granted, each by name; what is not here is not assumed.</summary>
    public IReadOnlyList<ClockAssumption> Assumptions { get; init; } = [];

    /// <summary>
    /// forward-intended, forward and back: from the intended send, from the actual one, and from the echo.
    /// </summary>
    public IReadOnlyList<OneWaySeries> Series { get; init; } = [];

    /// <summary>Whether the means of both ways make up the round trip; null without messages.</summary>
    public MeanCheck? Check { get; init; }

    /// <summary>How differently the two ways took; null without messages.</summary>
    public PathAsymmetry? Asymmetry { get; init; }

    /// <summary>
    /// What the consumer made of messages without an echo; null with echoes, or where it did not tell.
    /// </summary>
    public ConsumerFigures? ConsumerSeries { get; init; }

    /// <summary>Messages that were measured, but for which no θ was known, or whose stamps could not be kept.</summary>
    public long Uncorrected { get; init; }

    /// <summary>Messages whose stamps cannot be: received before they were made, or echoed before received.</summary>
    public long ImpossibleStamps { get; init; }

    /// <summary>The grade that a bound gives, where nothing contradicts it.</summary>
    /// <param name="errorNs">The bound E.</param>
    /// <param name="medianNs">The smaller median of the two directions.</param>
    public static OneWayGrade GradeOf(long errorNs, long medianNs)
    {
        var share = medianNs > 0 ? (double)errorNs / medianNs : double.PositiveInfinity;
        return share switch
        {
            <= MostOfGradeA => OneWayGrade.A,
            <= MostOfGradeB => OneWayGrade.B,
            <= MostOfGradeC => OneWayGrade.C,
            _ => OneWayGrade.D,
        };
    }
}
