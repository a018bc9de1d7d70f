namespace RedisLatency.Hosting.Telemetry;

/// <summary>Whether and where a service tells others how it goes on.</summary>
public sealed class TelemetryOptions
{
    public string? Metrics { get; set; }
}
