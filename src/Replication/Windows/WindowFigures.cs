using RedisLatency.Replication.Heartbeat;

namespace RedisLatency.Replication.Windows;

/// <summary>What a window came to; times are in nanoseconds.</summary>
/// <param name="Start">When it began.</param>
/// <param name="Length">How long it was.</param>
/// <param name="Counts">What became of the heartbeats in it; the age is that at its end.</param>
/// <param name="LongestAgeNs">The longest age in it.</param>
/// <param name="ErrorNs">How far delays may be off because of the clocks.</param>
/// <param name="Delays">The delays of its heartbeats; where they are read elsewhere, how late they left.</param>
/// <param name="Averages">The mean delay of the last 1, 5 and 15 minutes.</param>
/// <param name="Alerts">The thresholds that do not hold at its end.</param>
internal sealed record WindowFigures(
    DateTimeOffset Start,
    TimeSpan Length,
    BeatCounts Counts,
    long LongestAgeNs,
    long ErrorNs,
    WindowDelays Delays,
    IReadOnlyList<WindowFigure> Averages,
    IReadOnlyList<string> Alerts)
{
    /// <summary>When it ended.</summary>
    public DateTimeOffset End => Start + Length;

    /// <summary>The mean.</summary>
    public WindowFigure Mean { get; } = WindowFigure.Mean(Delays);

    /// <summary>Half of them took at most that; percentiles are there where ten lie above them.</summary>
    public WindowFigure P50 { get; } = WindowFigure.Percentile(Delays, 50);

    /// <summary>95 of a hundred.</summary>
    public WindowFigure P95 { get; } = WindowFigure.Percentile(Delays, 95);

    /// <summary>99 of a hundred.</summary>
    public WindowFigure P99 { get; } = WindowFigure.Percentile(Delays, 99);

    /// <summary>The longest.</summary>
    public WindowFigure Max { get; } = WindowFigure.Max(Delays);
}
