using System.Text;
using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>What a run serves to monitoring while it lasts: its metrics, and whether it is well and at work.</summary>
public sealed partial class ServedMetrics : IDisposable
{
    private readonly MetricSetPage _page;
    private readonly MetricInstruments _instruments;
    private readonly TelemetryThread _thread;
    private readonly RunContext _context;
    private readonly Func<string?> _absence;
    private readonly ServiceManagerNotices? _manager;
    private readonly MetricsEndpoint? _endpoint;
    private volatile IntervalReporter? _reporter;
    private volatile Func<string?>? _status;
    private volatile Func<string?>? _missing;

    /// <summary>Begins to serve, where that was asked for.</summary>
    /// <param name="options">Whether, and where.</param>
    /// <param name="service">The service, as names of metrics have it: <c>producer</c>.</param>
    /// <param name="context">The run.</param>
    /// <param name="member">Who measures, as whoever collects metrics is to know it.</param>
    /// <param name="absence">
    /// Why no server answers the service, in a sentence; null while one does. Asked on any thread.
    /// </param>
    /// <exception cref="RunRefusedException">It cannot listen there.</exception>
    /// <exception cref="ConfigurationException">
    /// A variable of OTLP is not as OpenTelemetry specifies it.
    /// </exception>
    public ServedMetrics(
        TelemetryOptions options,
        string service,
        RunContext context,
        RunMember member,
        Func<string?>? absence = null)
    {
        var names = new TelemetryNames($"redislatency.{service}");
        (_page, _context, _absence) = (new MetricSetPage(names), context, absence ?? (() => null));
        var push = OtlpPush.Create(options.Otlp, $"redis-latency-{service}", member, context.Logger);
        _instruments = new MetricInstruments(names);
        _thread = new TelemetryThread(_instruments, push);
        _manager = ServiceManagerNotices.Begin(context, HealthProblem, ReadinessProblem);
        if (options.Metrics is not { } address)
            return;
        _endpoint = MetricsEndpoint.Start(
            address, _page.Write, HealthProblem, ReadinessProblem, () => _status?.Invoke());
        MetricsAt(context.Logger, _endpoint.Address);
        if (_endpoint.IsOpenToAll)
            MetricsForAll(context.Logger, address);
    }

    /// <summary>Serves a set from now on; it is complete.</summary>
    public void Add(MetricSet set)
    {
        _page.Add(set);
        _instruments.Add(set);
    }

    /// <summary>What it measures now: whether anything comes back says whether the server is there.</summary>
    public void Watch(IntervalReporter reporter) => _reporter = reporter;

    /// <summary>
    /// Serves a page in JSON as <c>/status</c>, and as <c>/</c>, once there is one, and what is missing as unreadiness;
    /// both are asked on any thread.
    /// </summary>
    public void ServeStatus(Func<string?> page, Func<string?> missing) => (_status, _missing) = (page, missing);

    /// <summary>Pushes what there is at the end, and ends to serve.</summary>
    public void Dispose()
    {
        _manager?.Dispose();
        _thread.Dispose();
        _instruments.Dispose();
        _endpoint?.Dispose();
    }

    // Of the process alone: who starts it again for a server that is away mends nothing.
    private string? HealthProblem() => _context.Failure?.Message;

    private string? ReadinessProblem() => HealthProblem() ?? (_context.Phase == RunPhase.Measure
        ? _absence() ?? _reporter?.HealthProblem ?? _missing?.Invoke()
        : $"not measuring: the run is at {_context.Phase.ToString().ToLowerInvariant()}");

    [LoggerMessage(EventId = 31, Level = LogLevel.Information, Message = "Metrics are at {Address}/metrics.")]
    private static partial void MetricsAt(ILogger logger, string address);

    [LoggerMessage(EventId = 32, Level = LogLevel.Warning,
        Message = "--metrics {Address}: anybody who reaches any address of this machine may read them. "
            + "Give one address, for instance 127.0.0.1.")]
    private static partial void MetricsForAll(ILogger logger, string address);
}

/// <summary>
/// Metric sets as Prometheus reads them. On any thread, while others record: a number only grows, so what is read a
/// moment too early is in the next page.
/// </summary>
internal sealed class MetricSetPage(TelemetryNames names)
{
    private volatile IReadOnlyList<MetricSet> _sets = [];

    /// <summary>Shows a set from now on. One thread adds them.</summary>
    public void Add(MetricSet set) => _sets = [.. _sets, set];

    public string Write()
    {
        var text = new StringBuilder();
        var sets = _sets;
        foreach (var family in sets
            .SelectMany(set => set.Histograms.Select(one => SampleOf(set, one.Metric, one.Total)))
            .GroupBy(sample => sample.Name).OrderBy(family => family.Key, StringComparer.Ordinal))
        {
            MetricText.WriteHead(text, family.Key, "histogram", family.First().Metric.Help);
            foreach (var sample in family.DistinctBy(sample => sample.Labels))
                MetricText.WriteHistogram(text, sample.Name, sample.Labels, sample.Value);
        }

        foreach (var family in sets.SelectMany(set => set.Values.Select(one => SampleOf(set, one.Metric, one.Read())))
            .Where(sample => sample.Value is { } value && double.IsFinite(value))
            .GroupBy(sample => sample.Name).OrderBy(family => family.Key, StringComparer.Ordinal))
        {
            var metric = family.First().Metric;
            MetricText.WriteHead(text, family.Key, IsCounter(metric) ? "counter" : "gauge", metric.Help);
            foreach (var sample in family.DistinctBy(sample => sample.Labels))
            {
                MetricText.WriteSample(
                    text, sample.Name, sample.Labels, TelemetryNames.Scaled(metric, sample.Value ?? 0));
            }
        }

        return text.ToString();
    }

    private static bool IsCounter(Metric metric) => metric.Kind == MetricKind.Counter;

    private (string Name, string Labels, Metric Metric, T Value) SampleOf<T>(MetricSet set, Metric metric, T value)
    {
        var name = MetricText.NameOf(names.NameOf(metric), TelemetryNames.UnitOf(metric), IsCounter(metric));
        return (name, MetricText.LabelsOf(TelemetryNames.LabelsOf(set, metric)), metric, value);
    }
}
