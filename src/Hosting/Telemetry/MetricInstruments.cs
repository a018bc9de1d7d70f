using System.Diagnostics.Metrics;
using RedisLatency.Hosting.Options;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Metric sets as instruments of one meter, which whoever listens to it reads: what pushes by OTLP, and
/// <c>dotnet-counters</c>. Counters and gauges are read when they are asked for; histograms are replayed.
/// </summary>
internal sealed class MetricInstruments(TelemetryNames names) : IDisposable
{
    public const string MeterName = "RedisLatency";

    private readonly Meter _meter = new(MeterName, ProgramVersion.Text);
    private readonly Lock _gate = new();
    private readonly HashSet<string> _observed = [];
    private readonly Dictionary<string, Histogram<double>> _histograms = [];
    private readonly List<(string Name, string Labels, HistogramReplay Replay)> _replays = [];
    private volatile IReadOnlyList<MetricSet> _sets = [];

    /// <summary>Shows a set from now on. One thread adds them.</summary>
    public void Add(MetricSet set)
    {
        _sets = [.. _sets, set];
        foreach (var value in set.Values)
            Observe(value.Metric);
        lock (_gate)
        {
            foreach (var (metric, total) in set.Histograms)
            {
                var name = names.NameOf(metric);
                if (!_histograms.TryGetValue(name, out var histogram))
                {
                    histogram = _meter.CreateHistogram<double>(name, TelemetryNames.UnitOf(metric), metric.Help);
                    _histograms.Add(name, histogram);
                }

                var labels = TelemetryNames.LabelsOf(set, metric).ToArray();
                var text = MetricText.LabelsOf(labels);
                if (!_replays.Exists(known => known.Name == name && known.Labels == text))
                    _replays.Add((name, text, new HistogramReplay(histogram, total, labels)));
            }
        }
    }

    /// <summary>Records what came to histograms since the last time, where somebody listens.</summary>
    public void Replay()
    {
        lock (_gate)
        {
            foreach (var (name, _, replay) in _replays)
            {
                if (_histograms[name].Enabled)
                    replay.Replay();
            }
        }
    }

    public void Dispose() => _meter.Dispose();

    private void Observe(Metric metric)
    {
        var name = names.NameOf(metric);
        if (!_observed.Add(name))
            return;
        var unit = TelemetryNames.UnitOf(metric);
        if (metric.Kind == MetricKind.Counter)
            _meter.CreateObservableCounter(name, () => Read(name, value => (long)value), unit, metric.Help);
        else
            _meter.CreateObservableGauge(name, () => Read(name, value => value), unit, metric.Help);
    }

    // What is not known is left out, and what several sets have under the same labels is that of the first.
    private List<Measurement<T>> Read<T>(string name, Func<double, T> convert)
        where T : struct
    {
        var read = new List<Measurement<T>>();
        var known = new HashSet<string>();
        foreach (var set in _sets)
        {
            foreach (var value in set.Values)
            {
                if (names.NameOf(value.Metric) != name || value.Read() is not { } number || !double.IsFinite(number))
                    continue;
                var labels = TelemetryNames.LabelsOf(set, value.Metric).ToArray();
                if (known.Add(MetricText.LabelsOf(labels)))
                    read.Add(new(convert(TelemetryNames.Scaled(value.Metric, number)), labels));
            }
        }

        return read;
    }
}
