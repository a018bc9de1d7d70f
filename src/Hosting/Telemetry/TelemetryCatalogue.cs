using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>The options of telemetry.</summary>
public static class TelemetryCatalogue
{
    public static OptionCatalogue<TelemetryOptions> Create() =>
        new OptionCatalogue<TelemetryOptions>("Telemetry")
            .Group("Telemetry")
            .Add("--metrics", o => o.Metrics, Syntax.OptionalText("http://ADDRESS:PORT", MetricsAddress.Problem),
                "Serve /metrics for Prometheus, /healthz and /readyz there: an address of this machine",
                shownDefault: "nowhere")
            .Add("--otlp", o => o.Otlp, Syntax.OptionalText("URL", OtlpAddress.Problem),
                "Push metrics by OTLP to this collector, for instance http://HOST:4318",
                shownDefault: "OTEL_EXPORTER_OTLP_ENDPOINT, else nowhere");
}
