using Microsoft.Extensions.Logging;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Pushes the instruments to a collector by OTLP, on the thread that asks for it. The standard variables
/// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/) hold for what no option says. A collector that does
/// not answer is reported once; sums go on from the start, so the next push that arrives has everything.
/// </summary>
internal sealed partial class OtlpPush
{
    private const string Variables = "OTEL_EXPORTER_OTLP_";
    private static readonly TimeSpan DefaultInterval = TimeSpan.FromSeconds(10);

    private readonly ILogger _logger;
    // It is never disposed of: that would push once more what the last push had.
    private readonly MeterProvider _provider;
    private Uri? _address;
    private volatile string? _problem;

    private OtlpPush(Uri? address, string service, RunMember member, ILogger logger)
    {
        _logger = logger;
        var resource = ResourceBuilder.CreateEmpty()
            .AddTelemetrySdk()
            .AddService(service, serviceVersion: ProgramVersion.Text, serviceInstanceId: member.Instance)
            .AddAttributes(AttributesOf(member))
            .AddEnvironmentVariableDetector();
        try
        {
            _provider = Sdk.CreateMeterProviderBuilder()
                .SetResourceBuilder(resource)
                .AddMeter(MetricInstruments.MeterName)
                .AddView(instrument => instrument is System.Diagnostics.Metrics.Histogram<double>
                    ? new Base2ExponentialBucketHistogramConfiguration()
                    : null)
                .AddOtlpExporter((exporter, reader) => Configure(exporter, reader, address))
                .Build();
        }
        catch (Exception failure) when (failure is ArgumentException or FormatException or InvalidOperationException)
        {
            // Their text may have what a header says.
            throw new ConfigurationException($"{Variables}…: a value is not as OpenTelemetry specifies it.");
        }
    }

    /// <summary>How often the user wants it: OTEL_METRIC_EXPORT_INTERVAL, else ten seconds.</summary>
    public TimeSpan Interval { get; private set; } = DefaultInterval;

    /// <summary>Whether a push was not taken, which was reported.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Makes it, where an option or a variable asks for it; else null.</summary>
    /// <exception cref="ConfigurationException">A variable is not as OpenTelemetry specifies it.</exception>
    public static OtlpPush? Create(string? address, string service, RunMember member, ILogger logger)
    {
        if (address is null && (IsSet("OTEL_SDK_DISABLED", "true") || IsSet("OTEL_METRICS_EXPORTER", "none")))
            return null;
        if (address is null && VariableOf("ENDPOINT") is null)
            return null;
        foreach (var name in (string[])[$"{Variables}ENDPOINT", $"{Variables}METRICS_ENDPOINT"])
        {
            if (Environment.GetEnvironmentVariable(name) is { Length: > 0 } text
                && OtlpAddress.Problem(text) is { } problem)
                throw new ConfigurationException($"{name}: {problem}");
        }

        if (VariableOf("PROTOCOL") is { } protocol && protocol is not ("http/protobuf" or "grpc"))
            throw new ConfigurationException($"{Variables}PROTOCOL: http/protobuf or grpc is needed");
        var push = new OtlpPush(address is null ? null : OtlpAddress.Parse(address), service, member, logger);
        PushingTo(logger, push._address!.AbsoluteUri);
        return push;
    }

    /// <summary>Reads all instruments, sends them, and waits for the answer as long as the exporter may.</summary>
    public void Push()
    {
        if (_provider.ForceFlush() || HasFailed)
            return;
        HasFailed = true;
        NotTaken(_logger, _address!.AbsoluteUri, _problem ?? "they were refused");
    }

    private static string? VariableOf(string name) =>
        Environment.GetEnvironmentVariable($"{Variables}METRICS_{name}") is { Length: > 0 } own ? own
        : Environment.GetEnvironmentVariable(Variables + name) is { Length: > 0 } all ? all
        : null;

    private static bool IsSet(string name, string value) =>
        string.Equals(Environment.GetEnvironmentVariable(name), value, StringComparison.OrdinalIgnoreCase);

    private static IEnumerable<KeyValuePair<string, object>> AttributesOf(RunMember member)
    {
        yield return new("redislatency.run", member.Run);
        yield return new("redislatency.role", member.Role);
        if (member.Region is { } region)
            yield return new("redislatency.region", region);
    }

    private void Configure(OtlpExporterOptions exporter, MetricReaderOptions reader, Uri? address)
    {
        if (VariableOf("PROTOCOL") is null)
            exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
        if (address is not null)
        {
            exporter.Endpoint =
                exporter.Protocol == OtlpExportProtocol.HttpProtobuf ? OtlpAddress.OfMetrics(address) : address;
        }

        _address = exporter.Endpoint;
        // With certificates of its own the exporter makes its client itself.
        if (!Environment.GetEnvironmentVariables().Keys.Cast<string>().Any(IsOfCertificates))
        {
            var limit = TimeSpan.FromMilliseconds(exporter.TimeoutMilliseconds);
            exporter.HttpClientFactory = () =>
                new HttpClient(new OtlpAnswers(problem => _problem = problem)) { Timeout = limit };
        }

        // Who pushes is the thread that replays histograms first.
        var periodic = reader.PeriodicExportingMetricReaderOptions;
        if (periodic.ExportIntervalMilliseconds is { } interval)
            Interval = TimeSpan.FromMilliseconds(interval);
        periodic.ExportIntervalMilliseconds = int.MaxValue;
    }

    private static bool IsOfCertificates(string name) =>
        name.StartsWith(Variables, StringComparison.Ordinal)
        && (name.EndsWith("CERTIFICATE", StringComparison.Ordinal)
            || name.EndsWith("CLIENT_KEY", StringComparison.Ordinal));

    [LoggerMessage(EventId = 33, Level = LogLevel.Information, Message = "Metrics are pushed to {Address}.")]
    private static partial void PushingTo(ILogger logger, string address);

    [LoggerMessage(EventId = 34, Level = LogLevel.Warning,
        Message = "{Address} does not take metrics: {Problem}. The run goes on; the next push has everything.")]
    private static partial void NotTaken(ILogger logger, string address, string problem);
}

/// <summary>Notes what a collector answered last: the exporter only says that it failed.</summary>
/// <param name="note">Is told why the last request was not taken; null where it was.</param>
internal sealed class OtlpAnswers(Action<string?> note) : DelegatingHandler(new SocketsHttpHandler())
{
    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        try
        {
            return Noted(base.Send(request, cancellationToken));
        }
        catch (Exception failure) when (failure is HttpRequestException or OperationCanceledException)
        {
            Note(failure);
            throw;
        }
    }

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        try
        {
            return Noted(await base.SendAsync(request, cancellationToken).ConfigureAwait(false));
        }
        catch (Exception failure) when (failure is HttpRequestException or OperationCanceledException)
        {
            Note(failure);
            throw;
        }
    }

    private HttpResponseMessage Noted(HttpResponseMessage response)
    {
        note(response.IsSuccessStatusCode
            ? null
            : $"it answered {(int)response.StatusCode} ({response.StatusCode})");
        return response;
    }

    private void Note(Exception failure) =>
        note(failure is HttpRequestException ? failure.Message.TrimEnd('.') : "it did not answer in time");
}
