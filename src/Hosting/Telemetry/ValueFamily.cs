using System.Text;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>Counters (sums) and gauges, a number a series; observable ones are asked at every write.</summary>
internal sealed class ValueFamily(string name, string type, string help, bool isSum, bool isObservable)
    : MetricFamily(name, type, help)
{
    private readonly SortedDictionary<string, double> _values = new(StringComparer.Ordinal);

    protected override bool IsEmpty => _values.Count == 0;

    public override void BeginObservation()
    {
        if (isObservable)
            _values.Clear();
    }

    public override void Note(string labels, double value) =>
        _values[labels] = isSum ? _values.GetValueOrDefault(labels) + value : value;

    protected override void WriteSeries(StringBuilder text)
    {
        foreach (var (labels, value) in _values)
            MetricText.WriteSample(text, Name, labels, value);
    }
}
