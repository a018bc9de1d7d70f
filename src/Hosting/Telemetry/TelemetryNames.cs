using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>What a metric is called in telemetry, however it travels.</summary>
/// <param name="service">What precedes names for which OpenTelemetry has none: <c>redislatency.producer</c>.</param>
internal sealed class TelemetryNames(string service)
{
    /// <summary>As OpenTelemetry writes names: <c>redislatency.producer.rtt_intended</c>.</summary>
    public string NameOf(Metric metric) =>
        metric.Instrument ?? $"{service}.{metric.Name.Replace('-', '_')}";

    /// <summary>As UCUM writes units; null where events are counted.</summary>
    public static string? UnitOf(Metric metric) => metric switch
    {
        { Kind: MetricKind.Durations or MetricKind.Duration } => "s",
        { Kind: MetricKind.Ratio } => "1",
        _ => null,
    };

    /// <summary>The labels of a metric of a set; those without a value are none.</summary>
    public static IEnumerable<KeyValuePair<string, object?>> LabelsOf(MetricSet set, Metric metric) =>
        set.Labels.Concat(metric.Labels).Where(label => label.Value is not (null or ""));

    /// <summary>A value in the unit of <see cref="UnitOf"/>.</summary>
    public static double Scaled(Metric metric, double value) =>
        metric.Kind == MetricKind.Duration ? value * 1e-9 : value;
}
