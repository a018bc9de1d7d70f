using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>What a run serves to monitoring while it lasts: its metrics, and whether it is well and at work.</summary>
public sealed partial class ServedMetrics : IDisposable
{
    private readonly MetricSetPage _page;
    private readonly RunContext _context;
    private readonly Func<string?> _illness;
    private readonly MetricsEndpoint? _endpoint;
    private volatile IntervalReporter? _reporter;
    private volatile Func<string>? _status;
    private volatile Func<string?>? _missing;

    /// <summary>Begins to serve, where that was asked for.</summary>
    /// <param name="options">Whether, and where.</param>
    /// <param name="service">The service, as names of metrics have it: <c>producer</c>.</param>
    /// <param name="context">The run.</param>
    /// <param name="illness">Why the service is not well, in a sentence; null while it is. Asked on any thread.</param>
    /// <exception cref="RunRefusedException">It cannot listen there.</exception>
    public ServedMetrics(TelemetryOptions options, string service, RunContext context, Func<string?>? illness = null)
    {
        (_page, _context, _illness) = (new MetricSetPage($"redislatency.{service}"), context, illness ?? (() => null));
        if (options.Metrics is not { } address)
            return;
        _endpoint = MetricsEndpoint.Start(address, _page.Write, Illness, Idleness, () => _status?.Invoke());
        MetricsAt(context.Logger, _endpoint.Address);
        if (_endpoint.IsOpenToAll)
            MetricsForAll(context.Logger, address);
    }

    /// <summary>Serves a set from now on; it is complete.</summary>
    public void Add(MetricSet set) => _page.Add(set);

    /// <summary>What it measures now: whether anything comes back says whether the service is well.</summary>
    public void Watch(IntervalReporter reporter) => _reporter = reporter;

    /// <summary>
    /// Serves a page in JSON as <c>/status</c>, and as <c>/</c>, from now on, and what is missing as unreadiness; both
    /// are asked on any thread.
    /// </summary>
    public void ServeStatus(Func<string> page, Func<string?> missing) => (_status, _missing) = (page, missing);

    public void Dispose() => _endpoint?.Dispose();

    private string? Illness() => _context.Failure?.Message ?? _illness() ?? _reporter?.Illness;

    private string? Idleness() => _context.Phase == RunPhase.Measure
        ? _missing?.Invoke()
        : $"not measuring: the run is at {_context.Phase.ToString().ToLowerInvariant()}";

    [LoggerMessage(EventId = 31, Level = LogLevel.Information, Message = "Metrics are at {Address}/metrics.")]
    private static partial void MetricsAt(ILogger logger, string address);

    [LoggerMessage(EventId = 32, Level = LogLevel.Warning,
        Message = "--metrics {Address}: anybody who reaches any address of this machine may read them. "
            + "Give one address, for instance 127.0.0.1.")]
    private static partial void MetricsForAll(ILogger logger, string address);
}
