namespace RedisLatency.Reports.MetricSets;

/// <summary>
/// A metric, declared once: thresholds, live view, interval log, run record and telemetry all call it this.
/// </summary>
/// <param name="Name">As thresholds, tables and the interval log name it.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Help">What it says, in a sentence.</param>
public sealed record Metric(string Name, MetricKind Kind, string Help = "")
{
    /// <summary>The tool's own pauses, which every service has.</summary>
    public static Metric Hiccups { get; } = new(
        "hiccups", MetricKind.Durations, "How late a thread of this process woke that wanted to every 5 ms.");

    /// <summary>Where the live view shows it.</summary>
    public LiveColumn Column { get; init; }

    /// <summary>What OpenTelemetry's conventions call it; null where they have no name for it.</summary>
    public string? Instrument { get; init; }

    /// <summary>What tells it from others of the same instrument.</summary>
    public IReadOnlyList<KeyValuePair<string, object?>> Labels { get; init; } = [];

    /// <summary>
    /// Whether only the percentiles of the summary can be asked for: the whole distribution is not kept.
    /// </summary>
    public bool IsSummary { get; init; }

    /// <summary>The only statistics it has; null where it has all.</summary>
    public IReadOnlyList<string>? Statistics { get; init; }

    /// <summary>Whether it is a share of something that was asked for.</summary>
    public bool HasShare { get; init; } = true;

    /// <summary>
    /// By what one of several can be named, as in <c>delay{destination=a}.p99</c>; null where it is one only.
    /// </summary>
    public string? Label { get; init; }
}

/// <summary>What kind of metric it is, and so which thresholds can be set on it.</summary>
public enum MetricKind
{
    /// <summary>A series of durations: <c>rtt.p99&lt;2ms</c>. The limit needs a unit, except on <c>count</c>.</summary>
    Durations,

    /// <summary>A number of events: <c>lost==0</c>, or a share of the messages: <c>lost&lt;=0.1%</c>.</summary>
    Counter,

    /// <summary>A number that may fall again: <c>throughput>=100k</c>.</summary>
    Gauge,

    /// <summary>A ratio: <c>rate>=0.99</c>, which is the same as <c>rate>=99%</c>.</summary>
    Ratio,

    /// <summary>One duration: <c>age&lt;5s</c>. The limit needs a unit.</summary>
    Duration,
}

/// <summary>Where the live view shows a metric; counters of one place are added up.</summary>
public enum LiveColumn
{
    /// <summary>Nowhere.</summary>
    None,

    /// <summary>The latency, from the actual send.</summary>
    Latency,

    /// <summary>The latency from the intended send.</summary>
    LatencyFromIntended,

    /// <summary>How late messages left.</summary>
    Lateness,

    /// <summary>What left, or came to who answers.</summary>
    Sent,

    /// <summary>What came back, or was answered.</summary>
    Returned,

    /// <summary>What was due and could not leave.</summary>
    Unsent,

    /// <summary>What was given up.</summary>
    Lost,

    /// <summary>What came after its deadline.</summary>
    Late,

    /// <summary>What came more than once.</summary>
    Duplicated,

    /// <summary>What came after a later one.</summary>
    Reordered,

    /// <summary>Errors and wrong values.</summary>
    Errors,

    /// <summary>What is under way.</summary>
    InFlight,
}
