namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Names as Prometheus has them, made of those of OpenTelemetry: underscores for dots, the unit at the end, and
/// counters end in <c>_total</c>
/// (https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/).
/// </summary>
internal static class MetricName
{
    /// <summary>The name of a metric.</summary>
    /// <param name="name">The instrument's: <c>redislatency.replication.delay</c>.</param>
    /// <param name="unit">Its unit: <c>s</c>; what is counted is in braces and no part of the name.</param>
    /// <param name="isCounter">Whether it only grows.</param>
    public static string Of(string name, string? unit, bool isCounter)
    {
        var suffix = unit switch
        {
            "s" => "_seconds",
            "By" => "_bytes",
            "1" when !isCounter => "_ratio",
            _ => string.Empty,
        };
        var cleaned = Cleaned(name);
        var isNamedByUnit = cleaned.EndsWith(suffix, StringComparison.Ordinal);
        return cleaned + (isNamedByUnit ? string.Empty : suffix) + (isCounter ? "_total" : string.Empty);
    }

    /// <summary>With an underscore for whatever may not be in a name.</summary>
    public static string Cleaned(string name) =>
        string.Concat(name.Select(c => char.IsAsciiLetterOrDigit(c) || c is '_' ? c : '_'));
}
