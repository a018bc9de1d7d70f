namespace RedisLatency.Reports.DeclaredMetrics;

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
