namespace RedisLatency.Hosting.Telemetry;

/// <summary>Where a collector takes metrics: <c>http://HOST:4318</c>.</summary>
public static class OtlpAddress
{
    /// <summary>What is wrong with it, or null. Secrets go into headers, which nobody prints.</summary>
    public static string? Problem(string text) => Parse(text) is null
        ? "http://HOST:PORT or https://HOST:PORT is needed, for instance http://127.0.0.1:4318; what shall stay secret "
            + "goes into OTEL_EXPORTER_OTLP_HEADERS"
        : null;

    internal static Uri? Parse(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var address)
            && (address.Scheme == Uri.UriSchemeHttp || address.Scheme == Uri.UriSchemeHttps)
            && address is { UserInfo: "", Query: "", Fragment: "" }
                ? address
                : null;

    /// <summary>Of OTLP over HTTP metrics have a path below it, as below OTEL_EXPORTER_OTLP_ENDPOINT.</summary>
    internal static Uri OfMetrics(Uri address) => new($"{address.AbsoluteUri.TrimEnd('/')}/v1/metrics");
}
