namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Names as Prometheus has them, made of those of OpenTelemetry: underscores for dots, the unit at the end, and
/// counters end in <c>_total</c>
/// (https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/).
/// </summary>
internal static class MetricName
{
    /// <summary>Of <c>redislatency.replication.delay</c> and <c>s</c>; a unit in braces is no part of it.</summary>
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
