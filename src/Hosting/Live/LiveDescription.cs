using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

/// <summary>What a live view says about the run throughout.</summary>
/// <param name="Title">What is measured, of whom: <c>RTT · raw · redis://10.0.0.5:6379 · run 7f3a</c>.</param>
public sealed record LiveDescription(string Title)
{
    /// <inheritdoc cref="LiveDescription(string)" path="/param"/>
    public string Title { get; } = PlainText.Clean(Title);

    /// <summary>The series from the actual send, by the name that thresholds have for it.</summary>
    public string Latency { get; init; } = string.Empty;

    /// <summary>The series from the intended send.</summary>
    public string FromIntended { get; init; } = string.Empty;

    /// <summary>What is sent and returns: messages, keys.</summary>
    public string Items { get; init; } = "messages";

    /// <summary>What <see cref="LiveSnapshot.Sent"/> counts.</summary>
    public string Sent { get; init; } = Counted.Sent.Name;

    /// <summary>What <see cref="LiveSnapshot.Returned"/> counts; null where nothing comes back.</summary>
    public string? Returned { get; init; } = Counted.Returned.Name;

    /// <summary>Whether the time left is shown, where it can be told, in the place of the phase's name.</summary>
    public bool HasTimeLeft { get; init; }

    /// <summary>What <see cref="LiveSnapshot.Errors"/> counts.</summary>
    public string Errors { get; init; } = Counted.Errors.Name;

    /// <summary>Whether what is counted can be lost, late, duplicated or reordered.</summary>
    public bool CanBeLost { get; init; } = true;

    /// <summary>Each column has the name of its metric; of several that are added up, its own.</summary>
    public static LiveDescription Of(string title, MetricSet set)
    {
        return new LiveDescription(title)
        {
            Latency = SeriesOf(LiveColumn.Latency),
            FromIntended = SeriesOf(LiveColumn.LatencyFromIntended),
            Sent = CountOf(LiveColumn.Sent) ?? Counted.Sent.Name,
            Returned = CountOf(LiveColumn.Returned),
            Errors = CountOf(LiveColumn.Errors) ?? Counted.Errors.Name,
        };

        string SeriesOf(LiveColumn column) =>
            set.Series.Select(one => one.Metric).FirstOrDefault(metric => metric.Column == column)?.Name
            ?? string.Empty;

        string? CountOf(LiveColumn column) =>
            set.Values.Where(one => one.Metric.Column == column).Select(one => one.Metric.Name).ToList() is [var name]
                ? name
                : null;
    }
}
