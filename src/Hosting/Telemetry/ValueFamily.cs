using System.Text;

namespace RedisLatency.Hosting.Telemetry;

/// <summary>Series of one number each: counters and gauges.</summary>
/// <param name="name">Its name, whole.</param>
/// <param name="type">counter or gauge.</param>
/// <param name="help">What it is.</param>
/// <param name="isSum">Whether measurements are added up, and not each the newest state.</param>
/// <param name="isObservable">Whether it is asked whenever it is written.</param>
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
