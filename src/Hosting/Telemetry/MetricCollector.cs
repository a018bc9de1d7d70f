using System.Diagnostics.Metrics;
using System.Text;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>
/// Keeps what the instruments of a meter are told, and writes it as Prometheus' text format 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/). Thread safe.
/// </summary>
/// <remarks>
/// Observable instruments are asked while it writes, under its lock: what they call must not wait for a thread that
/// records.
/// </remarks>
public sealed class MetricCollector : IDisposable
{
    /// <summary>The format, as HTTP names it.</summary>
    public const string ContentType = "text/plain; version=0.0.4; charset=utf-8";

    private readonly Lock _gate = new();
    private readonly MeterListener _listener = new();
    private readonly SortedDictionary<string, MetricFamily> _families = new(StringComparer.Ordinal);

    /// <summary>Begins to listen; what was told before is not known.</summary>
    public MetricCollector(Meter meter)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (ReferenceEquals(instrument.Meter, meter))
                listener.EnableMeasurementEvents(instrument, Add(instrument));
        };
        _listener.SetMeasurementEventCallback<int>((_, value, tags, family) => Note(value, tags, family));
        _listener.SetMeasurementEventCallback<long>((_, value, tags, family) => Note(value, tags, family));
        _listener.SetMeasurementEventCallback<double>((_, value, tags, family) => Note(value, tags, family));
        _listener.Start();
    }

    /// <summary>Everything as text.</summary>
    public string Collect()
    {
        var text = new StringBuilder();
        lock (_gate)
        {
            foreach (var family in _families.Values)
                family.BeginObservation();
            _listener.RecordObservableInstruments();
            foreach (var family in _families.Values)
                family.WriteTo(text);
        }

        return text.ToString();
    }

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();

    private MetricFamily Add(System.Diagnostics.Metrics.Instrument instrument)
    {
        var family = MetricFamily.Of(instrument);
        lock (_gate)
            _families.Add(family.Name, family);
        return family;
    }

    private void Note(double value, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? family)
    {
        var labels = LabelText.Of(tags);
        lock (_gate)
            ((MetricFamily)family!).Note(labels, value);
    }
}
