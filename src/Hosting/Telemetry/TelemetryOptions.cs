namespace RedisLatency.Hosting.Telemetry;

/// <summary>Whether and where a service tells others how it goes on.</summary>
public sealed class TelemetryOptions
{
    /// <summary>Where metrics are served as text; null for nowhere.</summary>
    public string? Metrics { get; set; }
}
