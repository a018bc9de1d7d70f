using System.Diagnostics.Metrics;
using System.Text;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>All series of one instrument. Not thread safe.</summary>
internal abstract class MetricFamily
{
    private readonly string _type;
    private readonly string _help;

    protected MetricFamily(string name, string type, string help) => (Name, _type, _help) = (name, type, help);

    public string Name { get; }

    protected abstract bool IsEmpty { get; }

    public static MetricFamily Of(System.Diagnostics.Metrics.Instrument instrument)
    {
        var kind = instrument.GetType().GetGenericTypeDefinition();
        var isCounter = kind == typeof(Counter<>) || kind == typeof(ObservableCounter<>);
        var name = MetricName.Of(instrument.Name, instrument.Unit, isCounter);
        var help = instrument.Description ?? instrument.Name;
        if (kind == typeof(Histogram<>))
        {
            var bounds = (instrument as Histogram<double>)?.Advice?.HistogramBucketBoundaries ?? [];
            var negative = MetricName.Of(instrument.Name + ".negative", instrument.Unit, isCounter: false);
            return new HistogramFamily(name, negative, help, bounds);
        }

        var isSum = kind == typeof(Counter<>) || kind == typeof(UpDownCounter<>);
        return new ValueFamily(name, isCounter ? "counter" : "gauge", help, isSum, instrument.IsObservable);
    }

    /// <summary>Observable instruments will be asked: what they do not tell any more is no longer there.</summary>
    public virtual void BeginObservation()
    {
    }

    public abstract void Note(string labels, double value);

    /// <summary>Writes the family; nothing where it has no series.</summary>
    public void WriteTo(StringBuilder text)
    {
        if (IsEmpty)
            return;
        MetricText.WriteHead(text, Name, _type, _help);
        WriteSeries(text);
    }

    protected abstract void WriteSeries(StringBuilder text);
}
