namespace RedisLatency.Hosting.Telemetry;

/// <summary>Whether and where a service tells others how it goes on.</summary>
public sealed class TelemetryOptions
{
    public string? Metrics { get; set; }

    /// <summary>A collector that metrics are pushed to; null for what the variables of OpenTelemetry say.</summary>
    public string? Otlp { get; set; }
}
