namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>A metric, declared once: thresholds, live view, logs, run record and telemetry call it this.</summary>
/// <param name="Name">As thresholds, tables and the interval log name it.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Help">What it says, in a sentence.</param>
public sealed record Metric(string Name, MetricKind Kind, string Help = "")
{
    /// <summary>In the interval log, how long garbage collection stopped the tool in a second that had any.</summary>
    public const string GcPausesTag = "gc-pauses";

    /// <summary>The tool's own pauses, which every service has.</summary>
    public static Metric Hiccups { get; } = new(
        "hiccups", MetricKind.Durations, "How late a thread of this process woke that should wake every 5 ms.");

    /// <summary>What is waited for now.</summary>
    public static Metric InFlight { get; } = new("in-flight", MetricKind.Gauge) { Column = LiveColumn.InFlight };

    /// <summary>Whether a schedule was kept.</summary>
    public static Metric Rate { get; } = new(
        "rate", MetricKind.Ratio, "The rate achieved, as a share of the rate asked for.");

    /// <summary>Where the live view shows it.</summary>
    public LiveColumn Column { get; init; }

    /// <summary>What OpenTelemetry's conventions call it; null where they have no name for it.</summary>
    public string? Instrument { get; init; }

    /// <summary>What tells it from others of the same instrument.</summary>
    public IReadOnlyList<KeyValuePair<string, object?>> Labels { get; init; } = [];

    /// <summary>Whether only the summary's percentiles can be asked for: the distribution is not kept.</summary>
    public bool IsSummary { get; init; }

    /// <summary>The only statistics it has; null where it has all.</summary>
    public IReadOnlyList<string>? Statistics { get; init; }

    /// <summary>Whether it is a share of something that was asked for.</summary>
    public bool HasShare { get; init; } = true;

    /// <summary>The unit of a number of the run record; null where it counts events.</summary>
    public string? Unit { get; init; }

    /// <summary>
    /// How it is merged in the run record; null where that has no such number: it is of a moment, or there as a series.
    /// </summary>
    public MergeRule? Merge { get; init; } = Kind == MetricKind.Counter ? MergeRule.Sum : null;

    /// <summary>Which of two values is the better one.</summary>
    public BetterWhen BetterWhen { get; init; }

    /// <summary>By what one of several is named, as in <c>delay{destination=a}.p99</c>; null where it is one.</summary>
    public string? Label { get; init; }

    /// <summary>A number of events.</summary>
    public static Metric Counter(string name, BetterWhen better) =>
        new(name, MetricKind.Counter) { BetterWhen = better };

    /// <inheritdoc cref="Counter(string, BetterWhen)"/>
    public static Metric Counter(string name, string help = "", LiveColumn column = LiveColumn.None) =>
        new(name, MetricKind.Counter, help) { Column = column };

    /// <summary>The same metric with what it means in one service, and where its live view shows it.</summary>
    public Metric As(string help, LiveColumn column = LiveColumn.None) => this with { Help = help, Column = column };
}
